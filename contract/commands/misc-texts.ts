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
  link: {
    title: 'Connect accounts',
    description: 'Links your Spotify or AniList account to the bot.',
  },
  privacy: {
    title: 'Privacy',
    description: 'Says what the bot has stored about you, and deletes it if you like.',
  },
} as const;
