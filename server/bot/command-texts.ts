/**
 * What the bot answers to commands. `name` is a person. Lines that begin with what is typed keep it as it is in
 * every language.
 */

export const commandTexts = {
  ban: {
    done: (name: string) => `${name} is banned.`,
    forTime: (name: string, duration: string) => `${name} is banned for ${duration}.`,
    deleteMessages: 'Delete messages',
    /** After the button. */
    deleted: (count: number) => `${count} ${count === 1 ? 'message' : 'messages'} deleted.`,
    nothingToDelete: 'I have seen no messages of theirs in the last 48 hours.',
  },
  unban: (name: string) => `${name} may join again.`,
  kick: (name: string) => `${name} was removed and may come back.`,
  mute: {
    done: (name: string) => `${name} is muted.`,
    forTime: (name: string, duration: string) => `${name} is muted for ${duration}.`,
  },
  unmute: (name: string) => `${name} may write again.`,
  withReason: (sentence: string, reason: string) => `${sentence} Reason: ${reason}`,
  undo: 'Undo',
  undone: (sentence: string, by: string) => `${sentence}\n\nUndone by ${by}.`,
  undoneShort: 'Undone.',

  warn: {
    count: (name: string, count: number, limit: number) => `${name}: warning ${count} of ${limit}.`,
    withdraw: 'Take back',
    /** A button that shows the rules of the group. */
    rules: 'Rules',
    takenBack: (name: string) => `A warning of ${name} was taken back.`,
    allTakenBack: (name: string, count: number) =>
      `${count} ${count === 1 ? 'warning' : 'warnings'} of ${name} taken back.`,
    none: (name: string) => `${name} has no warnings.`,
    noneOwn: 'You have no warnings.',
    list: (name: string, count: number, limit: number, entries: string) =>
      `${name}: ${count} of ${limit}.\n${entries}`,
    entry: (number: number, reason: string, day: string) => `${number}) ${reason}, ${day}`,
    entryWithout: (number: number, day: string) => `${number}) ${day}`,
    /** Without the right to see those of others. */
  },
  warnRule: {
    mute: (limit: number) =>
      `At ${limit} ${limit === 1 ? 'warning' : 'warnings'} a member is muted for good.`,
    muteForTime: (limit: number, duration: string) =>
      `At ${limit} ${limit === 1 ? 'warning' : 'warnings'} a member is muted for ${duration}.`,
    ban: (limit: number) =>
      `At ${limit} ${limit === 1 ? 'warning' : 'warnings'} a member is banned for good.`,
    banForTime: (limit: number, duration: string) =>
      `At ${limit} ${limit === 1 ? 'warning' : 'warnings'} a member is banned for ${duration}.`,
    kick: (limit: number) =>
      `At ${limit} ${limit === 1 ? 'warning' : 'warnings'} a member is removed.`,
    expires: (rule: string, duration: string) => `${rule} A warning counts for ${duration}.`,
    stays: (rule: string) => `${rule} A warning counts until it is taken back.`,
    limitRange: (min: number, max: number) => `A number between ${min} and ${max}: /warnlimit 3`,
    modeUsage: '/warnmode mute 1d, /warnmode ban or /warnmode kick',
    timeRange: 'Between 1 day and 1 year, or off: /warntime 30d',
  },

  purge: {
    usage: 'Reply to the first message that should go, or write how many: /purge 20',
    deleted: (count: number) => `${count} ${count === 1 ? 'message' : 'messages'} deleted.`,
    deletedSome: (count: number, old: number) =>
      `${count} ${count === 1 ? 'message' : 'messages'} deleted, ${old} ${old === 1 ? 'was' : 'were'} too old.`,
    atMost: (max: number) => `At most ${max} messages.`,
  },
  del: { usage: 'Reply to the message that should go.' },

  antiflood: {
    off: 'Members may write as many messages in a row as they like. /setflood 8 limits that.',
    inRow: (count: number) => `${count} messages of a member in a row are too many.`,
    inTime: (count: number, duration: string) =>
      `${count} messages of a member within ${duration} are too many.`,
    /** Each follows one of these. */
    mute: (rule: string) => `${rule} They are deleted, and the member is muted for good.`,
    muteForTime: (rule: string, duration: string) =>
      `${rule} They are deleted, and the member is muted for ${duration}.`,
    ban: (rule: string) => `${rule} They are deleted, and the member is banned for good.`,
    banForTime: (rule: string, duration: string) =>
      `${rule} They are deleted, and the member is banned for ${duration}.`,
    kick: (rule: string) => `${rule} They are deleted, and the member is removed.`,
    usage: '/setflood 8, /setflood 8 10s or /setflood off',
    range: (min: number, max: number) => `A number between ${min} and ${max}: /setflood 8`,
    timeRange: 'Between 1 second and 10 minutes: /setflood 8 10s',
    modeUsage: '/floodmode mute 1h, /floodmode ban or /floodmode kick',
  },
  reactions: {
    limited: (max: number) =>
      `A member who gives more than ${max} reactions in a minute loses all of them, and may not react for a day.`,
    unlimited: 'Members may react as often as they like. /reactions 15 limits that.',
    unwanted: (emoji: string) => `Removed as reactions: ${emoji}`,
    noneUnwanted: 'No emoji is unwanted as a reaction. /reactions block 💩 changes that.',
    ofBanned: 'The reactions of banned members are removed, too.',
    notOfBanned: 'The reactions of banned members stay.',
    usage:
      '/reactions 15, /reactions off, /reactions block 💩, /reactions allow 💩 or /reactions banned off',
    range: (min: number, max: number) => `A number between ${min} and ${max}: /reactions 15`,
    tooMany: (max: number) => `At most ${max} emoji.`,
  },

  approve: {
    done: (name: string) => `${name} is approved: what is blocked for others stays.`,
    forTime: (name: string, duration: string) =>
      `${name} is approved for ${duration}: what is blocked for others stays.`,
    ended: (name: string) => `${name} is no longer approved.`,
    notApproved: (name: string) => `${name} is not approved.`,
    none: 'No one is approved here.',
    list: (entries: string) => `Approved here:\n${entries}`,
    entry: (name: string) => `• ${name}`,
    entryUntil: (name: string, day: string) => `• ${name}, until ${day}`,
  },

  lock: {
    blocked: (kinds: string) => `Blocked here: ${kinds}.`,
    nothing: 'Nothing is blocked here.',
    usage: 'Which kinds? For example: /lock sticker forward. /locktypes lists all.',
    unknown: (kind: string) => `No kind “${kind}”.`,
    didYouMean: (kind: string, similar: string) => `No kind “${kind}”. Did you mean ${similar}?`,
    kinds: (kinds: string) => `Kinds that can be blocked: ${kinds}.`,
  },

  topics: {
    usage:
      '/newtopic name opens a topic. In a topic, /renametopic name, /closetopic and /reopentopic change it.',
    known: (names: string, usage: string) => `Topics that I know: ${names}.\n\n${usage}`,
    nameMissing: 'Which name? Write it after the command.',
    nameTooLong: (max: number) => `At most ${max} characters.`,
    created: (name: string) => `The topic “${name}” is open.`,
    renamed: (name: string) => `This topic is called “${name}” now.`,
    closed: 'This topic is closed.',
    reopened: 'This topic is open again.',
  },

  pin: {
    usage: 'Reply to the message that is to be pinned.',
    unpinUsage:
      'Reply to the message that is to be unpinned. /unpin all unpins all messages of this topic.',
    pinned: 'Pinned.',
    unpinned: 'No longer pinned.',
    askAll: 'Unpin all messages here?',
    unpinAll: 'Unpin all',
    allUnpinned: 'All messages here are unpinned.',
    nothing: 'Nothing is pinned here.',
  },

  promote: {
    done: (name: string) => `${name} is an administrator now.`,
    withTitle: (name: string, title: string) => `${name} is an administrator now: ${title}.`,
    titleFailed: (sentence: string, reason: string) => `${sentence} ${reason}`,
    demoted: (name: string) => `${name} is no longer an administrator.`,
    noRights: 'You and I share no right that I could pass on.',
    titleTooLong: (max: number) => `A title has at most ${max} characters.`,
  },
  tag: {
    done: (name: string, tag: string) => `${name} has the tag “${tag}” now.`,
    removed: (name: string) => `${name} has no tag any more.`,
    tooLong: (max: number) => `A tag has at most ${max} characters.`,
  },
  admins: {
    list: (entries: string) => `Who looks after this group:\n${entries}`,
    creator: (name: string) => `• ${name}, owner`,
    creatorWithTitle: (name: string, title: string) => `• ${name}, owner – ${title}`,
    entry: (name: string) => `• ${name}`,
    entryWithTitle: (name: string, title: string) => `• ${name} – ${title}`,
    none: 'Everyone who looks after this group hides their name.',
  },

  report: {
    usage: 'Reply to the message that the administrators should see.',
    told: 'The administrators were told.',
    off: 'Reports are switched off in this group.',
    tooMany: (max: number, minutes: number) => `At most ${max} reports in ${minutes} minutes.`,
    noOne: 'No administrator can be told right now.',
    isOn: 'Members may report messages with /report or @admin.',
    isOff: 'Members may no longer report messages.',
    stateUsage: '/reports on or /reports off',
    /** To the administrators. `link` leads to the message. */
    line: (name: string, by: string, link: string) => `${by} reports ${name}: ${link}`,
    /** Messages of a basic group have no link. */
    lineWithoutLink: (name: string, by: string) => `${by} reports ${name}.`,
    lineWithReason: (line: string, reason: string) => `${line}\n${reason}`,
    delete: 'Delete',
    warn: 'Warn',
    mute: 'Mute',
    ban: 'Ban',
    dismiss: 'Dismiss',
    over: 'This report is closed: an administrator has dealt with it, or it is older than two days.',
    wasDeleted: (name: string, by: string) => `The message of ${name} was deleted by ${by}.`,
    wasWarned: (name: string, by: string) => `${name} was warned by ${by}.`,
    wasMuted: (name: string, by: string) => `${name} was muted for a day by ${by}.`,
    wasBanned: (name: string, by: string) => `${name} was banned by ${by}.`,
    wasDismissed: (name: string, by: string) => `The report of ${name} was dismissed by ${by}.`,
  },

  logChannel: {
    none: 'This group has no log channel. Write /setlog in your channel, then forward that message to this group.',
    current: (title: string) => `What is done here is written to “${title}”. /unsetlog ends it.`,
    set: (title: string) => `From now on, what is done here is written to “${title}”.`,
    removed: 'There is no log channel any more.',
    forwardThis: 'Now forward your message to the group whose log this channel is to be.',
    anonymousForward:
      'That message says nothing of its channel. Forward it from the channel itself, with its sender shown.',
    picked: (title: string) => `Your group’s log is written to “${title}” from now on.`,
    pickedTooLate: 'That took too long. Pick the channel in Nori once more.',
  },

  privacy: {
    known:
      'I have stored your ID, your name and your @name, so that administrators find you by them. They are deleted 90 days after I have seen you last.',
    unknown: 'From groups, I have stored neither your name nor your @name.',
    /** Follows either. */
    always: (facts: string) =>
      `${facts}\n\nBans, mutes, warnings and reports are stored with the IDs of both people, the time and the reason that was typed. They are deleted after 90 days, a warning 90 days after it ends, an approval when it ends. In a group’s log channel people are named; what I post there I neither keep nor delete. Of messages I keep no other content: only who wrote which, for 48 hours. An account in Nori can hold your name, too; you can delete it in Nori.`,
    forgetMe: 'Forget me',
    /** What people have the bot keep for them. */
    personal:
      'What you ask me to keep, I keep: reminders until they are due, for 30 days that you are away, whispers for 7 days, the names of your sticker packs, and your word that you are 18 or older. “Forget me” deletes that, too; the packs themselves stay at Telegram.',
    pictures:
      'What you have me paint is kept as if you had made it in Nori: in your history, if you have an account. For two days I know which picture I have sent you where, and for a day the prompts that /enhance has made better.',
    recipes:
      'The recipe of a picture that you send me, I keep for a day. “Forget me” deletes it, too.',
    allForgotten:
      'Done: your name, your @name and all that you asked me to keep are deleted. When I see you in a group, I learn your names again. Bans and the like stay stored for 90 days, warnings until 90 days after they end.',
    fromGroup: 'What I have stored about you, I tell you in private.',
  },

  help: {
    one: (command: string, description: string, usage: string) =>
      `/${command}: ${description}\n\n${usage}`,
    unknown: (name: string) => `I know no command “${name}”.`,
  },
} as const;
