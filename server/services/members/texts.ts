/** What administrators read about members: why something cannot be done, and the lines of the log channel. */

export const memberTexts = {
  /** Why a command, or a button of the dashboard, does nothing. */
  refusals: {
    noTarget: 'Whom? Reply to a message, or write @name or an ID.',
    unseen: (username: string) =>
      `I have not seen @${username} yet. Reply to one of their messages, or use their ID.`,
    administrator: (name: string) => `${name} is an administrator. I leave administrators alone.`,
    me: 'That would be me.',
    you: 'That would be you.',
    noRightBot: (right: string) =>
      `I need the right “${right}” for this. Give it to me in the list of administrators.`,
    noRightUser: (right: string) => `Only administrators with the right “${right}” can do this.`,
    creatorOnly: 'Only the owner of the group can do this.',
    supergroupOnly:
      'This works in supergroups only. A group becomes one when its history is shown to newcomers.',
    duration: 'Between 30 seconds and 366 days: 30m, 2h, 3d, 1w.',
    telegramAway: (wait: string) => `Telegram does not answer right now. Try again in ${wait}.`,
    atMostCharacters: (max: number) => `At most ${max} characters.`,
    atMostApprovals: (max: number) => `At most ${max} approved members.`,
    unknownPerson: 'Telegram does not know this person.',
    channelOnlyBanned: 'A channel can only be banned.',
    channelForGood: 'A channel can only be banned for good, without a time.',
    notInChat: 'I am not in this group any more.',
    /** `description` is what Telegram says, in English. */
    other: (description: string) => `Telegram refuses this: ${description}`,
    notBanned: (name: string) => `${name} is not banned.`,
    notHere: (name: string) => `${name} is not here.`,
    notOurs: (name: string) =>
      `Only who made ${name} an administrator, or the owner, can change that.`,
    notAdministrator: (name: string) => `${name} is not an administrator.`,
    fileLost: 'Telegram does not have this file any more. Please send it again.',
    wrongButton: 'Telegram does not take the address of a button.',
    titleEmoji: 'A title has no emoji.',
    tagEmoji: 'A tag has no emoji.',
    topicsOnly: 'This group has no topics.',
    unchanged: 'It is so already.',
    messageGone: 'That message is gone.',
    /** Messages; some of them may be gone already. */
    deletedLater: 'Telegram does not answer right now. What is left is deleted as soon as it does.',
    messageTooOld: 'Telegram lets me delete no message that is older than 48 hours.',
    tooOld: 'The server of Telegram does not know this yet.',
    mayNotPost:
      'I may not write in that channel. Make me an administrator there who may post messages.',
    foreignChannel: 'You are not an administrator of that channel.',
    logLost: (title: string) =>
      `I can no longer write to the log channel “${title}”, so this group has none now. /setlog sets another.`,
  },

  /** As the Telegram app calls them. */
  rights: {
    delete: 'Delete messages',
    restrict: 'Ban users',
    invite: 'Invite users',
    pin: 'Pin messages',
    topics: 'Manage topics',
    promote: 'Add new admins',
    tags: 'Edit member tags',
    info: 'Change group info',
  },

  /** To the group, when a manager has undone something on the dashboard. */
  undone: {
    ban: (name: string, by: string) => `${name} may join again: ${by} has undone the ban.`,
    mute: (name: string, by: string) => `${name} may write again: ${by} has undone the mute.`,
    warn: (name: string, by: string) => `${by} has taken back a warning of ${name}.`,
    promote: (name: string, by: string) =>
      `${name} is no longer an administrator: ${by} has undone it.`,
  },

  /** Lines of the log channel. `name` is a name with its ID, as in Ann (123); `by` is a name alone. */
  log: {
    ban: (name: string, by: string) => `Ban: ${name} by ${by}.`,
    unban: (name: string, by: string) => `Unban: ${name} by ${by}.`,
    kick: (name: string, by: string) => `Kick: ${name} by ${by}.`,
    mute: (name: string, by: string) => `Mute: ${name} by ${by}.`,
    unmute: (name: string, by: string) => `Unmute: ${name} by ${by}.`,
    warn: (name: string, by: string) => `Warning: ${name} by ${by}.`,
    unwarn: (name: string, by: string) => `Warning taken back: ${name} by ${by}.`,
    promote: (name: string, by: string) => `New administrator: ${name} by ${by}.`,
    demote: (name: string, by: string) => `No longer administrator: ${name} by ${by}.`,
    approve: (name: string, by: string) => `Approved: ${name} by ${by}.`,
    unapprove: (name: string, by: string) => `No longer approved: ${name} by ${by}.`,
    /** A message of a member. */
    delete: (name: string, by: string) => `Message deleted: ${name} by ${by}.`,
    /** Added to a line above. */
    forTime: (line: string, duration: string) => `${line} For ${duration}.`,
    withReason: (line: string, reason: string) => `${line} ${reason}`,
    inGroup: (group: string, line: string) => `${group} – ${line}`,
    settings: (count: number, by: string) =>
      `Settings: ${count} ${count === 1 ? 'change' : 'changes'} by ${by}.`,
    purge: (count: number, by: string) =>
      `Purge: ${count} ${count === 1 ? 'message' : 'messages'} by ${by}.`,
    /** A person whose name the bot does not know has their ID alone. */
    person: (name: string, id: string) => `${name} (${id})`,
    anonymous: 'an anonymous administrator',
    bot: 'the bot',
    formerUser: 'a former user',
  },
} as const;
