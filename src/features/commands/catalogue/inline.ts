/** Inline queries, which work in any chat, also where the bot is not a member. */
import { type Entry } from './entry.ts';

export const inline: readonly Entry[] = [
  {
    id: 'inline-anime',
    title: 'Anime, inline',
    description: 'Finds a series and posts its card, in any chat.',
    usage: '@bot anime Frieren',
  },
  {
    id: 'inline-manga',
    title: 'Manga, inline',
    description: 'Finds a manga and posts its card.',
    usage: '@bot manga Yotsuba',
  },
  {
    id: 'inline-character',
    title: 'Character, inline',
    description: 'Finds a character and posts the portrait.',
    usage: '@bot character Rem',
  },
  {
    id: 'inline-nowplaying',
    title: 'Now playing, inline',
    description: 'Posts what you are listening to. Your Spotify account has to be linked.',
    usage: '@bot np\n/link spotify in the bot’s own chat, once',
  },
  {
    id: 'inline-whisper',
    title: 'Whisper',
    description: 'Posts a message in a group that only one person can open.',
    usage: '@bot whisper @user the surprise is at eight',
  },
  {
    id: 'inline-translate',
    title: 'Translate, inline',
    description: 'Translates what you type before you send it.',
    usage: '@bot tr ja Good morning',
  },
  {
    id: 'inline-wiki',
    title: 'Wikipedia, inline',
    description: 'Finds an article and posts its beginning.',
    usage: '@bot wiki onigiri',
  },
  {
    id: 'inline-calc',
    title: 'Calculator',
    description: 'Works out a sum as you type it.',
    usage: '@bot calc 12 * 7.5',
  },
  {
    id: 'inline-style',
    title: 'Fancy text',
    description: 'Writes your words in other letters: bold, script, small capitals and more.',
    usage: '@bot style happy birthday',
  },
  {
    id: 'inline-note',
    title: 'Notes, inline',
    description: 'Posts one of your saved notes anywhere.',
    usage: '@bot note wifi\n/save wifi in the bot’s own chat, to keep one',
  },
];
