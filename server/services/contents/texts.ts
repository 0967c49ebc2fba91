/** What the bot says around contents: to who saves them, and where one is missing. */

export const contentTexts = {
  atMostButtons: (max: number) => `At most ${max} buttons.`,
  unusable: 'I cannot send this. Shorten it, or leave out what is special about it.',
  /** Stands for a file without a text that Telegram does not have any more. */
  fileLost: 'There was a file here, and Telegram has lost it. An administrator can save it again.',

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
