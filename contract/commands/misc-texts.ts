/** Titles and descriptions of the commands that work in private chats, too; a description has at most 256 characters. */

export const miscTexts = {
  start: {
    title: 'Start',
    description: 'Wakes the bot, so that it may write to you, and leads you to the next step.',
  },
  help: {
    title: 'Help',
    description: 'Explains the commands, all of them or one by name.',
  },
  download: {
    title: 'Download',
    description:
      'Sends the pictures and videos behind a link to TikTok, Douyin, Instagram, Facebook, X, Threads or Pinterest.',
  },
  tts: {
    title: 'Text to speech',
    description: 'Reads a text of up to 300 characters aloud, in a voice of your choice.',
  },
  translate: {
    title: 'Translate',
    description: 'Translates a text or the message that you reply to.',
  },
  wiki: {
    title: 'Wikipedia',
    description: 'Shows the beginning of a page of Wikipedia, in your language if it has one.',
  },
  define: {
    title: 'Dictionary',
    description: 'Says in English what a word of any language means, from Wiktionary.',
  },
  weather: {
    title: 'Weather',
    description: 'Shows the weather of a place now and for three days, from Open-Meteo.',
  },
  id: {
    title: 'IDs',
    description: 'Shows the IDs of the chat, the topic and a person.',
  },
  info: {
    title: 'About a person',
    description: 'Shows what Telegram says of a person: name, ID, username and role in the group.',
  },
  link: {
    title: 'Connect accounts',
    description: 'Links your Spotify or AniList account to the bot.',
  },
  remind: {
    title: 'Reminders',
    description: 'Reminds you of something, or of a message, at the time that you say.',
  },
  afk: {
    title: 'Away',
    description: 'Tells those who mention you or reply to you that you are away, until you write.',
  },
  nowplaying: {
    title: 'Now playing',
    description: 'Shows what you are listening to on Spotify.',
  },
  sticker: {
    title: 'Stickers',
    description:
      'Puts a sticker or a picture into a pack of your own, or sends a sticker as a file.',
  },
  privacy: {
    title: 'Privacy',
    description: 'Says what the bot has stored about you, and deletes it if you like.',
  },
  imagine: {
    title: 'Picture',
    description:
      'Paints what you describe. Ratio, what to leave out and the seed may follow: --ar 16:9 --no text --seed 5.',
  },
  enhance: {
    title: 'Better prompt',
    description: 'Adds light, mood and detail to the description of a picture.',
  },
} as const;
