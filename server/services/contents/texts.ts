/** What the bot says around contents: to who saves them, and where one is missing. */

export const contentTexts = {
  atMostButtons: (max: number) => `At most ${max} buttons.`,
  unusable: 'I cannot send this. Shorten it, or leave out what is special about it.',
  /** Stands for a file without a text that Telegram does not have any more. */
  fileLost: 'There was a file here, and Telegram has lost it. An administrator can save it again.',

  welcome: {
    off: 'Newcomers are not greeted. /welcome on changes that.',
    forEveryone: 'All see the greeting now.',
    forNewcomer: 'Only the newcomer sees the greeting now, where Telegram can do that.',
    usage: '/welcome on, /welcome off, /welcome everyone or /welcome newcomer',
    setUsage:
      'Write the greeting after the command, or reply to it: /setwelcome Hello {first}, welcome to {chatname}!',
  },
  cleanWelcome: {
    on: (duration: string) => `A greeting goes after ${duration}, or when the next one comes.`,
    off: 'Greetings stay.',
    usage:
      '/cleanwelcome on, /cleanwelcome off, or a time between 1 minute and 24 hours: /cleanwelcome 10m',
  },
  goodbye: {
    off: 'I say nothing when someone leaves. /goodbye on changes that.',
    usage: '/goodbye on or /goodbye off',
    setUsage: 'Write it after the command, or reply to it: /setgoodbye Goodbye, {first}.',
  },
  cleanService: {
    list: (kinds: string) => `I delete what Telegram writes about: ${kinds}.`,
    none: 'I delete nothing of what Telegram writes here.',
    usage:
      'Write what goes: /cleanservice join leave pin title photo topic video_chat, /cleanservice all or /cleanservice off',
    kinds: {
      join: 'new members',
      leave: 'members who left',
      pin: 'pinned messages',
      title: 'a new name of the group',
      photo: 'a new photo of the group',
      topic: 'changed topics',
      video_chat: 'video chats',
    },
  },
  rules: {
    none: 'This group has no rules yet.',
    inPrivate: 'I show you the rules in private.',
    read: 'Read the rules',
    cleared: 'The rules are deleted.',
    setUsage: 'Write the rules after the command, or reply to them: /setrules Be kind. No ads.',
  },

  /** To a manager of a chat, in private. `title` is the name of the chat. */
  request: {
    welcome: (title: string) => `Send me the greeting of “${title}”.`,
    goodbye: (title: string) => `Send me what I say in “${title}” when someone leaves.`,
    rules: (title: string) => `Send me the rules of “${title}”.`,
    note: (title: string, name: string) => `Send me the note “${name}” of “${title}”.`,
    filter: (title: string, words: string) => `Send me what I answer to “${words}” in “${title}”.`,
    how: (minutes: number) =>
      `Your next message here becomes it, with its formatting and at most one picture or other file. This ends in ${minutes} minutes.`,
    cancel: 'Cancel',
    cancelled: 'Cancelled. Nothing has changed.',
    over: 'This is over. Begin again in Nori.',
    nothing:
      'I cannot send this on. Send me a text, or one picture, video, sound, sticker or file.',
    saved: 'Saved. This is what I will send:',
  },
  /** Of the dashboard. */
  fileRefused: (description: string) => `Telegram refuses this file: ${description}`,
  manyUploads: 'Your last file is still on its way. Please wait until it has arrived.',
  fileTooLarge: 'The file is too large. At most 20 MB are possible.',
} as const;
