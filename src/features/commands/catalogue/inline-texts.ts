/** Titles and descriptions of the inline queries, which work in any chat, also where the bot is not a member. */

export const inlineTexts = {
  'inline-anime': {
    title: 'Anime, inline',
    description: 'Finds a series and posts its card, in any chat.',
  },
  'inline-manga': {
    title: 'Manga, inline',
    description: 'Finds a manga and posts its card.',
  },
  'inline-character': {
    title: 'Character, inline',
    description: 'Finds a character and posts the portrait.',
  },
  'inline-nowplaying': {
    title: 'Now playing, inline',
    description: 'Posts what you are listening to. Your Spotify account has to be linked.',
  },
  'inline-whisper': {
    title: 'Whisper',
    description: 'Posts a message in a group that only one person can open.',
  },
  'inline-translate': {
    title: 'Translate, inline',
    description: 'Translates what you type before you send it.',
  },
  'inline-wiki': {
    title: 'Wikipedia, inline',
    description: 'Finds an article and posts its beginning.',
  },
  'inline-calc': {
    title: 'Calculator',
    description: 'Works out a sum as you type it.',
  },
  'inline-style': {
    title: 'Fancy text',
    description: 'Writes your words in other letters: bold, script, small capitals and more.',
  },
  'inline-note': {
    title: 'Notes, inline',
    description: 'Posts one of your saved notes anywhere.',
  },
} as const;
