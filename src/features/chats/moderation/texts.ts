/** The texts of warnings, of what was done to members, and of approvals. */

export const moderationTexts = {
  loading: 'Loading the rules...',
  failed: 'The rules could not be loaded.',

  rules: {
    heading: 'Warnings',
    about: 'Who is warned too often is muted, banned or kicked by the bot.',
    presets: 'Ready-made rules',
    /** `act` is what the bot does, `time` how long a warning counts. */
    preset: (count: number, act: string, time: string) =>
      `${count} ${count === 1 ? 'warning' : 'warnings'}, then ${act}. Each counts for ${time}.`,
    limit: 'Limit',
    limitAbout: 'With so many warnings the bot acts',
    fewer: 'One warning fewer',
    more: 'One warning more',
    action: 'At the limit',
    expiry: 'A warning lasts',
    noExpiry: 'Until taken back',
  },

  sharedBans: {
    heading: 'Other chats',
    title: 'Share bans',
    about: 'For the chats of this community on Telegram, and for those of the same owner',
    foot: 'A person who is banned in one chat that shares its bans is banned in all of them. Each chat switches this on for itself. What the bot does by itself is not shared.',
  },

  /** `{…}` are names, or slots for them. */
  done: {
    heading: 'What was done',
    label: 'What was done in the last 90 days',
    search: 'Search names and reasons...',
    loading: 'Loading what was done...',
    failed: 'What was done could not be loaded.',
    none: 'Nothing was done in the last 90 days.',
    noneHint: 'Bans, warnings and the like will be listed here, with a button that undoes them.',
    nothingFound: 'Nothing found for this search.',
    more: 'Show more',
    moreFailed: 'More could not be loaded. Please try again.',
    end: 'This is all of the last 90 days.',
    ban: (by: string, target: string) => `${by} banned ${target}.`,
    banUntil: (by: string, target: string, until: string) =>
      `${by} banned ${target} until ${until}.`,
    unban: (by: string, target: string) => `${by} unbanned ${target}.`,
    kick: (by: string, target: string) => `${by} kicked ${target}.`,
    mute: (by: string, target: string) => `${by} muted ${target}.`,
    muteUntil: (by: string, target: string, until: string) =>
      `${by} muted ${target} until ${until}.`,
    unmute: (by: string, target: string) => `${by} unmuted ${target}.`,
    warn: (by: string, target: string) => `${by} warned ${target}.`,
    unwarn: (by: string, target: string) => `${by} took back a warning of ${target}.`,
    promote: (by: string, target: string) => `${by} made ${target} an administrator.`,
    demote: (by: string, target: string) => `${by} made ${target} a member without rights.`,
    report: (by: string, target: string) => `${by} reported ${target}.`,
    reason: 'Reason: {reason}',
    undone: (time: string) => `Undone: ${time}`,
    undo: 'Undo',
    /** The button's accessible name: many actions have this button. */
    undoName: (sentence: string) => `Undo: ${sentence}`,
    undoFailed: 'This could not be undone. Please try again.',
    promotionTitle: 'Undo this promotion?',
    promotionQuestion: (name: string) => `${name} will be an administrator no longer.`,
    confirm: 'Undo',
  },

  warnings: {
    heading: 'Warnings that count',
    loading: 'Loading the warnings...',
    failed: 'The warnings could not be loaded.',
    none: 'No member has a warning that counts. An administrator gives one by /warn as a reply.',
    count: (count: number, limit: number) => `${count} of ${limit}`,
    given: 'By {by}, {time}.',
    until: (time: string) => `Counts until ${time}.`,
    withdraw: 'Take back',
    /** The button's accessible name. */
    withdrawName: (name: string, time: string) => `Take back: the warning of ${name}, ${time}`,
    withdrawAll: 'Take back all',
    withdrawAllName: (name: string) => `Take back all: the warnings of ${name}`,
    withdrawAllTitle: 'Take back all warnings?',
    withdrawAllQuestion: (name: string, count: number) =>
      `${name} has ${count} ${count === 1 ? 'warning' : 'warnings'}. This cannot be undone.`,
    withdrawFailed: 'This could not be taken back. Please try again.',
    showAll: (count: number) => `Show all ${count} members`,
    capped: 'Only the newest 500 warnings are shown.',
  },

  approvals: {
    heading: 'Approved members',
    about: 'What is blocked for others is not deleted for them.',
    loading: 'Loading the approved members...',
    failed: 'The approved members could not be loaded.',
    none: 'No member is approved. An administrator approves one by /approve as a reply.',
    given: 'By {by}, {time}.',
    until: (time: string) => `Ends ${time}.`,
    end: 'End',
    /** The button's accessible name. */
    endName: (name: string) => `End: the approval of ${name}`,
    endFailed: 'The approval could not be ended. Please try again.',
    showAll: (count: number) => `Show all ${count} members`,
  },

  /** Who acts without a name in Telegram. */
  bot: 'The bot',
  anonymous: 'An anonymous administrator',
} as const;
