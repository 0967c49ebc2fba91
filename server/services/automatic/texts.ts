/** What the bot says in a group about what it has done by itself. `name` is a member. */

export const automaticTexts = {
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
