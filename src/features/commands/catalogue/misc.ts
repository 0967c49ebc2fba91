/** Commands for media, voices, pictures, music, and small tools. */
import { type Entry } from './entry.ts';

export const misc: readonly Entry[] = [
  {
    id: 'start',
    title: 'Start',
    description: 'Wakes the bot, so that it may write to you, and opens its menu.',
    usage: '/start in a private chat with the bot',
  },
  {
    id: 'help',
    title: 'Help',
    description: 'Explains the commands, all of them or one by name.',
    usage: '/help\n/help purge',
  },
  {
    id: 'id',
    title: 'ID',
    description:
      'Shows your Telegram user ID and the ID of the chat, which you need to log in here.',
    usage: '/id\n/id as a reply, for another user’s',
  },
  {
    id: 'info',
    title: 'User info',
    description: 'Shows what the bot can see of a user: ID, name, and their role in the group.',
    usage: '/info\n/info @user',
  },
  {
    id: 'link',
    title: 'Connect accounts',
    description: 'Links your Spotify or AniList account to the bot.',
    usage: '/link spotify\n/link anilist\n/unlink spotify',
  },
  {
    id: 'nowplaying',
    title: 'Now playing',
    description: 'Shows what you are listening to on Spotify, as a card.',
    usage: '/np\n/nowplaying',
  },
  {
    id: 'imagine',
    title: 'Make a picture',
    description: 'Turns a sentence into a picture; the image hub here has the finer controls.',
    usage: '/imagine a lighthouse in a paper sea, morning light',
  },
  {
    id: 'enhance',
    title: 'Enhance a prompt',
    description: 'Rewrites a short idea into a detailed prompt for pictures.',
    usage: '/enhance cat in the rain',
  },
  {
    id: 'tiktok',
    title: 'TikTok',
    description: 'Downloads a TikTok video without its watermark.',
    usage: '/tk followed by the link of the video',
  },
  {
    id: 'douyin',
    title: 'Douyin',
    description: 'Downloads a video from Douyin.',
    usage: '/douyin followed by the link of the video',
  },
  {
    id: 'instagram',
    title: 'Instagram',
    description: 'Downloads a public reel, post or story.',
    usage: '/insta followed by the link of the post',
  },
  {
    id: 'facebook',
    title: 'Facebook',
    description: 'Downloads a public video from Facebook.',
    usage: '/fb followed by the link of the video',
  },
  {
    id: 'x',
    title: 'X',
    description: 'Downloads the pictures and videos of a post on X.',
    usage: '/x followed by the link of the post',
  },
  {
    id: 'threads',
    title: 'Threads',
    description: 'Downloads the pictures and videos of a post on Threads.',
    usage: '/threads followed by the link of the post',
  },
  {
    id: 'pinterest',
    title: 'Pinterest',
    description: 'Downloads a pin at its full size.',
    usage: '/pinterest followed by the link of the pin',
  },
  {
    id: 'tts',
    title: 'Text to speech',
    description: 'Reads a text aloud in English, Japanese, Chinese or Korean.',
    usage: '/tts Hello, world!\n/tts ja as a reply to a text',
  },
  {
    id: 'animetts',
    title: 'Character voices',
    description: 'Reads a text aloud in the voice of a character.',
    usage: '/animetts followed by a character and a text\n/voices lists the characters',
  },
  {
    id: 'translate',
    title: 'Translate',
    description: 'Translates a message into the language you name.',
    usage: '/tr en as a reply\n/tr ja Good morning',
  },
  {
    id: 'sticker',
    title: 'Sticker tools',
    description:
      'Puts a sticker or picture into a pack of your own, or gives you a sticker as a file.',
    usage: '/kang as a reply\n/getsticker as a reply',
  },
  {
    id: 'quotely',
    title: 'Message as a sticker',
    description: 'Turns a message into a sticker that looks like a chat bubble.',
    usage: '/q as a reply\n/q 3 takes three messages together',
  },
  {
    id: 'weather',
    title: 'Weather',
    description: 'Tells the weather of a place now and for the next days.',
    usage: '/weather Kyoto',
  },
  {
    id: 'define',
    title: 'Dictionary',
    description: 'Explains an English word, with an example.',
    usage: '/define serendipity',
  },
  {
    id: 'wiki',
    title: 'Wikipedia',
    description: 'Sends the beginning of an article, and the way to the rest.',
    usage: '/wiki nori',
  },
  {
    id: 'remind',
    title: 'Reminders',
    description: 'Writes to you when the time has come.',
    usage: '/remind 2h take the rice off the stove\n/reminders',
  },
  {
    id: 'afk',
    title: 'Away',
    description: 'Tells people who mention you that you are away, until you write again.',
    usage: '/afk back at eight',
  },
  {
    id: 'ping',
    title: 'Ping',
    description: 'Says whether the bot is awake, and how fast it answers.',
    usage: '/ping',
  },
];
