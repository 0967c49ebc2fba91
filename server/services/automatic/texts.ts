/** What the bot says in a group about what it has done by itself. `name` is a member. */

export const automaticTexts = {
  /** To the one who wrote a blocked word, alone. `entry` is as an administrator wrote it. */
  blocklist: {
    deleted: (entry: string) => `Your message was deleted: “${entry}” is blocked here.`,
    stickerDeleted: 'Your sticker was deleted: its set is blocked here.',
    warned: (sentence: string, count: number, limit: number) =>
      `${sentence} This is warning ${count} of ${limit}.`,
    muted: (sentence: string) => `${sentence} You are muted.`,
    mutedForTime: (sentence: string, duration: string) =>
      `${sentence} You are muted for ${duration}.`,
  },
  /** A member has written too much; the messages are deleted. */
  flood: {
    mute: (name: string) => `${name} wrote too much at once and is muted.`,
    muteForTime: (name: string, duration: string) =>
      `${name} wrote too much at once and is muted for ${duration}.`,
    ban: (name: string) => `${name} wrote too much at once and is banned.`,
    banForTime: (name: string, duration: string) =>
      `${name} wrote too much at once and is banned for ${duration}.`,
    kick: (name: string) => `${name} wrote too much at once and was removed.`,
    failed: (name: string, reason: string) => `${name} wrote too much at once. ${reason}`,
  },
} as const;
