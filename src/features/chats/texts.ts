/** The texts of the dashboard, except those of the history and of copying, which are loaded with them. */

export const countTexts = {
  settings: (count: number) => `${count} ${count === 1 ? 'setting' : 'settings'}`,
  topics: (count: number) => `${count} ${count === 1 ? 'topic' : 'topics'}`,
  changes: (count: number) => `${count} ${count === 1 ? 'change' : 'changes'}`,
} as const;

export const chatTexts = {
  heading: (brand: string) => `${brand} Dashboard`,
  account: 'Account',
  logout: 'Logout',
  backToList: 'Back to List',
  proceed: 'Continue',
  retry: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  clearSearch: 'Clear the search',
  untitledChat: (id: string) => `Chat ${id}`,
  namelessUser: (telegramId: string) => `Telegram ID ${telegramId}`,
  formerUser: 'A former user',
  changedBy: (name: string, count: number) => `${name} changed ${countTexts.settings(count)}`,
  chatId: (id: string) => `ID: ${id}`,
  demo: 'demo: no bot connected',

  list: {
    heading: 'Manage Your Chats',
    search: 'Search chats by name or ID...',
    add: 'Add New Chat',
    loading: 'Loading your chats...',
    nothingFound: 'No chats found matching your search',
    none: 'No chats available',
    noneHint: 'Add a chat that you own, and choose which messages it allows.',
    failed: 'Your chats could not be loaded.',
    label: 'Your chats',
    unverified: 'Verify to manage',
    unverifiedHint:
      'The bot is in these groups already. Prove that the owner agrees, and you can manage them here.',
  },

  /** From adding the bot to a group to what it blocks there. */
  firstRun: {
    label: 'Steps to set up a group',
    steps: {
      add: 'Add the bot to your group',
      right: 'Let it delete messages',
      proof: 'Show that the group is yours',
      preset: 'Choose what is blocked',
    },
    announce: (position: number, count: number, step: string) =>
      `Step ${position} of ${count}: ${step}`,
    done: ', done',
    unsure: 'Checked with the next tap',
    botUnknown: 'Telegram does not answer right now. Try again in a moment.',
    addHint:
      'Telegram asks which group, and gives the bot the rights that it needs in the same dialog. This page goes on by itself.',
    addAction: 'Add the bot',
    pickHint:
      'Choose one of your own groups: the bot joins it with the rights that it needs. This page goes on by itself.',
    addAgainHint: 'The bot is not in this group. Add it, and this page goes on by itself.',
    rightAgainHint:
      'The bot is in the group, but lacks the right “Delete messages”. Choose the same group again, and this page goes on by itself.',
    rightAction: 'Give the right',
    proofHint: 'Telegram says who you are and whether you own the group. No code is needed.',
    proofAction: 'This is my group',
    loading: 'Looking at what comes next...',
    proofFailed: 'Telegram could not be asked. Please try again.',
    codeHint: 'Its owner gets a 6-digit code from the bot and passes it on to you.',
    byId: 'Add by chat ID',
    presetHeading: 'What shall be blocked?',
    ready: 'The bot may delete messages here, and you manage the group.',
    presetHint: 'Your choice applies at once. You can undo it, and change everything later.',
    applied: (preset: string, count: number) =>
      `Done. ${preset}: ${countTexts.settings(count)} changed.`,
    decide: 'Decide myself',
    decideHint: 'Everything stays allowed until you block it.',
  },

  add: {
    heading: 'Add Chat to Manage',
    field: 'Telegram Chat ID',
    example: '-1001234567890',
    failed: 'Failed to send verification code to chat owner',
    before: 'Before you continue',
    botIsAdmin: 'Make the bot an administrator of the chat, with the "Delete messages" right.',
    findId:
      'Find the chat’s ID: open the chat in Telegram Web and copy the number at the end of the address, minus sign included. A group’s ID is negative; a supergroup’s begins with -100.',
    ownerStarted:
      'The chat’s owner gets a code from the bot, so the owner has to have pressed Start there once.',
  },

  pick: {
    heading: 'Pick a group',
    hint: 'Choose one of your groups from Telegram’s own list: the bot joins it with the rights that it needs.',
    open: 'Pick a group',
    waiting: 'Waiting for the group to arrive...',
    failed: 'Telegram could not share the group. Please try again, or enter its ID below.',
    managed: (title: string) => `You manage “${title}” already.`,
    manage: 'Open its settings',
    notYet:
      'The group has not arrived yet. It will appear in your list of chats, where you can verify it.',
  },

  verify: {
    heading: 'Verify Chat Ownership',
    instruction: 'Enter the 6-digit OTP sent to the chat owner',
    notManaged: 'You do not manage this chat yet.',
    offer: 'To prove that its owner agrees, a 6-digit OTP is sent to the owner by Telegram.',
    send: 'Send code',
    haveCode: 'I already have a code',
    sendAgain: 'Send a new code',
    /** `wait` as `formatWait` writes it. */
    sendAgainIn: (wait: string) => `You can ask for a new code in ${wait}.`,
    sentAgain: 'A new code is on its way, and the earlier one no longer works.',
    label: 'One-time password',
    digit: (position: number, length: number) => `Digit ${position} of ${length}`,
    help: 'No code?',
    whereItIs: 'The code is in the owner’s chat with the bot. If that is not you, ask them for it.',
    ownerStarted: 'A bot may not write first: the owner has to have pressed Start there once.',
    onlyThis: 'A code opens this one chat, for you alone, and expires soon.',
    busy: 'Verifying chat and retrieving settings...',
    incomplete: 'Please enter the complete 6-digit OTP',
    failed: 'Invalid or expired verification code',
  },

  /** Changes without a network. */
  waiting: {
    count: (count: number) =>
      `${count} ${count === 1 ? 'change waits' : 'changes wait'} for the network.`,
    refused: (reason: string) => `A change that waited for the network was refused: ${reason}`,
    noReason: 'the server gave no reason. The settings are as before.',
    tooLong: (count: number) =>
      `${count} ${count === 1 ? 'change has' : 'changes have'} waited for more than a day and will not be sent. Make them again if you still want them.`,
  },
  settings: {
    search: 'Search settings...',
    menu: 'Menu',
    /** The button's accessible name: every topic has this button. */
    topicMenu: (topic: string) => `Menu, ${topic}`,
    topics: 'Topics',
    refresh: 'Refresh settings',
    refreshing: 'Refreshing settings...',
    refreshFailed: 'Failed to refresh settings. Please try again.',
    loading: 'Loading settings...',
    /** Until the server has answered. */
    lastKnown: 'Last known',
    loadFailed: 'The settings could not be loaded.',
    attack: 'Under attack...',
    endAttack: 'End “Under attack”',
    history: 'History of changes',
    numbers: 'Numbers',
    copy: 'Copy to...',
    /** The button's accessible name: every topic has this button. */
    copyFrom: (topic: string) => `Copy to..., ${topic}`,
    loadingChanges: 'Loading the changes...',
    loadingNumbers: 'Counting what happened...',
    nothingFound: 'No settings found matching your search',
    noneInTopic: 'This topic has no settings.',
    general: 'General',
    topic: (id: string) => `Topic ${id}`,
    blocked: 'Blocked',
    allowed: 'Allowed',
    blockedCount: (count: number) => `${count} blocked`,
    /** The toggle's accessible name: every topic has this setting. */
    toggle: (label: string, topic: string) => `${label}, ${topic}`,
    updateFailed: 'Failed to update setting. Please try again.',
    updateFailedOffline:
      'Failed to update setting. Please try again. No answer came: check your connection.',
    lost: (title: string) =>
      `You no longer manage ${title}. Verify that you own it to change its settings.`,
    upgraded: 'This group became a supergroup',
    /** The tabs of a chat’s settings. */
    sections: 'Parts of the settings',
    section: {
      locks: 'Locks',
      moderation: 'Moderation',
      joining: 'Joining',
      greetings: 'Greetings',
      automatic: 'Automatic',
      content: 'Content',
      log: 'Log and commands',
    },
    sectionBroken: 'This part could not be shown.',
    topicBroken: (topic: string) => `${topic} could not be shown.`,
    topicMissing: (topic: string) => `${topic} has no settings yet.`,
  },

  /** Changes of many settings together. */
  change: {
    undo: 'Undo',
    undone: 'Undone: everything is as it was.',
    undoneBut: (skipped: number) =>
      `Undone, except for ${countTexts.settings(skipped)} that were changed again since then.`,
    undoFailed: 'The change could not be undone. Please try again.',
    nothingChanged: 'Nothing had to change: it was all set like this already.',
  },

  /** Whether the bot has the rights that it needs. */
  health: {
    label: 'The bot in this chat',
    loading: 'Asking Telegram about the bot...',
    facts: {
      is_in: { yes: 'In the chat', no: 'Not in the chat' },
      may_delete: { yes: 'May delete', no: 'May not delete' },
      sees_all: { yes: 'Sees all members', no: 'Misses messages' },
      is_forum: { yes: 'Topics are on', no: 'Topics are off' },
    },
    noBot: 'This server has no bot: your choices are kept, but nothing is deleted.',
    notListening:
      'The bot of this server does not listen: your choices are kept, but nothing is deleted.',
    good: 'All good: what you block is deleted.',
    /** The state in a few words, beside the chat's name. */
    pill: {
      good: 'All good',
      checking: 'Checking...',
      notListening: 'Bot is off',
      unknown: 'State unknown',
    },
    /** The accessible name of the state with what can be done about it. */
    pillWith: (state: string, action: string) => `${state}: ${action}`,
    addBot: (bot: string) => `Nothing is deleted until @${bot} is in the chat.`,
    addBotAction: 'Add the bot',
    giveRight: (bot: string) => `@${bot} needs the right “Delete messages”.`,
    giveRightAction: 'Give the right',
    seeAll: (bot: string) => `Make @${bot} an administrator, or turn its privacy mode off.`,
    seeAllAction: 'Make it admin',
    limits: {
      heading: 'What Telegram lets no bot do',
      all: [
        'Messages older than 48 hours cannot be deleted.',
        'Messages that waited for the bot longer than 24 hours never reach it, so they stay.',
        'Messages of other bots are seen only while Bot-to-Bot Communication Mode is on, and privacy mode off, for this bot at @BotFather. Posts of guest bots, which are not in the chat, may never reach it.',
      ],
    },
    failed: 'The bot’s rights in this chat could not be read.',
    stale: 'Telegram does not answer: this is how it was before.',
  },

  /** What the bot has deleted. */
  deletions: {
    heading: 'Deleted messages',
    /** Beside the heading, also while the section is closed. */
    summary: (inDay: string, inWeek: string) => `${inDay} in 24 h, ${inWeek} in 7 days`,
    noneInWeek: 'None in 7 days',
    caption: 'Messages that the bot has deleted, by what they were',
    kind: 'Kind',
    day: '24 hours',
    week: '7 days',
    total: 'All',
    upTo: (count: string) => `up to ${count}`,
    atMost: 'Up to: messages deleted together may include some that were already gone.',
    none: 'Nothing deleted in the last 7 days',
    loading: 'Counting what was deleted...',
    failed: 'What was deleted could not be counted.',
  },

  addTopic: {
    open: 'Add topic',
    openFor: (topic: string) => `Add ${topic}`,
    heading: 'Add a topic',
    known: 'Topics of this chat',
    find: 'Find a topic...',
    clearFind: 'Clear the search for topics',
    addKnown: (topic: string) => `Add ${topic}`,
    nothingKnown: 'No topic is called that. Its number works, too.',
    moreKnown: (count: number) => `${count} more: type a part of the name to find them.`,
    field: 'Topic number',
    hint: 'Copy the link of any message in the topic: in t.me/c/1234567890/42/108 the topic is 42. A new topic starts with everything allowed.',
    submit: 'Add',
    missing: 'Please enter the number of the topic',
    exists: (topic: string) => `${topic} is already in the list`,
    failed: 'Failed to add the topic. Please try again.',
  },
} as const;
