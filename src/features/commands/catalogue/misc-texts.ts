/** Titles and descriptions of the commands for media, voices, pictures, music, and small tools. */

export const miscTexts = {
  start: {
    title: 'Start',
    description: 'Wakes the bot, so that it may write to you, and opens its menu.',
  },
  help: {
    title: 'Help',
    description: 'Explains the commands, all of them or one by name.',
  },
  id: {
    title: 'ID',
    description:
      'Shows your Telegram user ID and the ID of the chat, which you need to log in here.',
  },
  info: {
    title: 'User info',
    description: 'Shows what the bot can see of a user: ID, name, and their role in the group.',
  },
  link: {
    title: 'Connect accounts',
    description: 'Links your Spotify or AniList account to the bot.',
  },
  nowplaying: {
    title: 'Now playing',
    description: 'Shows what you are listening to on Spotify, as a card.',
  },
  imagine: {
    title: 'Make a picture',
    description: 'Turns a sentence into a picture; the image hub here has the finer controls.',
  },
  enhance: {
    title: 'Enhance a prompt',
    description: 'Rewrites a short idea into a detailed prompt for pictures.',
  },
  tiktok: {
    title: 'TikTok',
    description: 'Downloads a TikTok video without its watermark.',
  },
  douyin: {
    title: 'Douyin',
    description: 'Downloads a video from Douyin.',
  },
  instagram: {
    title: 'Instagram',
    description: 'Downloads a public reel, post or story.',
  },
  facebook: {
    title: 'Facebook',
    description: 'Downloads a public video from Facebook.',
  },
  x: {
    title: 'X',
    description: 'Downloads the pictures and videos of a post on X.',
  },
  threads: {
    title: 'Threads',
    description: 'Downloads the pictures and videos of a post on Threads.',
  },
  pinterest: {
    title: 'Pinterest',
    description: 'Downloads a pin at its full size.',
  },
  tts: {
    title: 'Text to speech',
    description: 'Reads a text aloud in English, Japanese, Chinese or Korean.',
  },
  animetts: {
    title: 'Character voices',
    description: 'Reads a text aloud in the voice of a character.',
  },
  translate: {
    title: 'Translate',
    description: 'Translates a message into the language you name.',
  },
  sticker: {
    title: 'Sticker tools',
    description:
      'Puts a sticker or picture into a pack of your own, or gives you a sticker as a file.',
  },
  quotely: {
    title: 'Message as a sticker',
    description: 'Turns a message into a sticker that looks like a chat bubble.',
  },
  weather: {
    title: 'Weather',
    description: 'Tells the weather of a place now and for the next days.',
  },
  define: {
    title: 'Dictionary',
    description: 'Explains an English word, with an example.',
  },
  wiki: {
    title: 'Wikipedia',
    description: 'Sends the beginning of an article, and the way to the rest.',
  },
  remind: {
    title: 'Reminders',
    description: 'Writes to you when the time has come.',
  },
  afk: {
    title: 'Away',
    description: 'Tells people who mention you that you are away, until you write again.',
  },
  ping: {
    title: 'Ping',
    description: 'Says whether the bot is awake, and how fast it answers.',
  },
} as const;
