/**
 * What the bot answers to commands about blocked words, answers and notes. `entry` and `entries` are as they were
 * typed; lines that begin with what is typed keep it as it is in every language.
 */

export const wordTexts = {
  quoted: (entry: string) => `“${entry}”`,
  /** A line of a list. */
  line: (entry: string) => `• ${entry}`,
  lineWith: (entry: string, remark: string) => `• ${entry} – ${remark}`,
  /** The last line of a list that is too long for a message. */
  more: (count: number) =>
    count === 1 ? 'And 1 more, in the dashboard.' : `And ${count} more, in the dashboard.`,
  hereOnly: 'only in this topic',
  notListed: (entry: string) => `“${entry}” is not on the list here.`,

  blocklist: {
    /** What is typed for each action stays as it is. */
    usage: (warn: string, mute: string, ban: string) =>
      `/addblocklist casino* "free money" example.com ${warn}\n* stands for any characters, ? for one. At the end ${warn}, ${mute} or ${ban} say what happens to the writer. As a reply to a sticker, /addblocklist blocks its set.`,
    noSigns: 'An entry needs at least one character besides * and ?.',
    tooLong: (entry: string, max: number) =>
      `“${entry}” is too long. At most ${max} characters are possible.`,
    tooLongPattern: (entry: string, max: number) =>
      `“${entry}” is too long. With * or ?, at most ${max} characters are possible.`,
    noLink: (entry: string) => `“${entry}” is no link. For example: /allowlist example.com`,
    noSet: 'This sticker is in no set.',
    added: (entries: string) => `Blocked in this group: ${entries}.`,
    addedInTopic: (entries: string) => `Blocked in this topic: ${entries}.`,
    allowed: (entries: string) => `Allowed in this group: ${entries}.`,
    allowedInTopic: (entries: string) => `Allowed in this topic: ${entries}.`,
    removed: (entries: string) => `No longer on the list: ${entries}.`,
    empty: 'No words are blocked here.',
    list: (lines: string, rule: string) => `Blocked here:\n${lines}\n\n${rule}`,
    noneAllowed: 'No links are exempt from the blocklist here.',
    allowList: (lines: string) => `Allowed here although they are blocked:\n${lines}`,
    removeUsage: '/rmblocklist casino* "free money"',
    modeUsage: '/blockmode delete, /blockmode warn, /blockmode mute 1h or /blockmode ban',
    /** What happens to the writer, beside an entry. */
    actions: {
      delete: 'deleted only',
      warn: 'warning',
      mute: 'muted',
      muteForTime: (duration: string) => `muted for ${duration}`,
      ban: 'banned',
      banForTime: (duration: string) => `banned for ${duration}`,
    },
    /** What happens where an entry says nothing else. */
    rules: {
      delete: 'A message with one of these is deleted.',
      warn: 'A message with one of these is deleted, and its writer is warned.',
      mute: 'A message with one of these is deleted, and its writer is muted.',
      muteForTime: (duration: string) =>
        `A message with one of these is deleted, and its writer is muted for ${duration}.`,
      ban: 'A message with one of these is deleted, and its writer is banned.',
      banForTime: (duration: string) =>
        `A message with one of these is deleted, and its writer is banned for ${duration}.`,
    },
  },

  filters: {
    usage:
      '/filter hello Hi there! or /filter hello as a reply to what I shall answer. Phrases stand in quotation marks. exact: is for messages that are nothing else, prefix: for their beginning: /filter "exact:good morning" Hello!',
    stopUsage: '/stop hello, or /stopall for all answers',
    tooLong: (entry: string, max: number) =>
      `“${entry}” is too long. At most ${max} characters are possible.`,
    saved: (entry: string) => `I answer to “${entry}” in this group from now on.`,
    savedInTopic: (entry: string) => `I answer to “${entry}” in this topic from now on.`,
    removed: (entries: string) => `I no longer answer to ${entries}.`,
    none: 'I answer to no words here.',
    list: (lines: string) => `I answer here to:\n${lines}`,
    exact: 'if the message is nothing else',
    prefix: 'at the beginning',
    questionAll: (count: number) =>
      count === 1 ? 'Remove the only answer here?' : `Remove all ${count} answers here?`,
    removeAll: 'Remove all',
    allRemoved: 'All answers are removed.',
  },

  notes: {
    usage:
      '/save wifi The password is otter, or /save wifi as a reply to what is to be kept. In it, {private} sends the note in private only, {admin} shows it to administrators only, and {protect} keeps it from being forwarded.',
    badName: 'A name has at most 32 letters, digits, _ and -.',
    saved: (name: string) => `The note “${name}” is saved. #${name} shows it.`,
    removed: (name: string) => `The note “${name}” is removed.`,
    unknown: (name: string) => `There is no note “${name}”.`,
    none: 'This group has no notes yet.',
    list: (lines: string) => `Notes of this group:\n${lines}`,
    clearUsage: '/clear wifi',
    getUsage: '/get wifi, or #wifi',
    forAdmins: 'administrators only',
    inPrivate: (name: string) => `I show the note “${name}” in private.`,
    read: 'Read it',
    /** In private, to who is not in the group, or when the note is gone. */
    notForYou: 'This note is gone, or you are not in its group.',
  },
} as const;
