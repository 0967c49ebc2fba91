/** Every sentence of the dashboard. */
import { formatWait } from '#lib/format';

const chatName = (id: string) => `Chat ${id}`;
const topicName = (id: string) => (id === '0' ? 'General' : `Topic ${id}`);

export const chatTexts = {
  heading: (brand: string) => `${brand} Dashboard`,
  account: 'Account',
  logout: 'Logout',
  backToList: 'Back to List',
  proceed: 'Continue',
  retry: 'Try again',
  /** What a chat is called: its name, or its id when it has none. */
  chatTitle: ({ chat_id, chat_name }: { chat_id: string; chat_name: string }) =>
    chat_name.trim() === '' ? chatName(chat_id) : chat_name,
  chatId: (id: string) => `ID: ${id}`,
  demo: 'demo: no bot connected',

  list: {
    heading: 'Manage Your Chats',
    search: 'Search chats by name or ID...',
    clearSearch: 'Clear the search',
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

  verify: {
    heading: 'Verify Chat Ownership',
    instruction: 'Enter the 6-digit OTP sent to the chat owner',
    offer:
      'You do not manage this chat yet. To prove that its owner agrees, a 6-digit OTP is sent to the owner by Telegram.',
    send: 'Send code',
    haveCode: 'I already have a code',
    sendAgain: 'Send a new code',
    sendAgainIn: (seconds: number) => `You can ask for a new code in ${formatWait(seconds)}.`,
    /** `details` is what the server says about it; it may say nothing. */
    sentAgain: (details: string) =>
      `A new code is on its way, and the earlier one no longer works. ${details}`.trim(),
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

  settings: {
    search: 'Search settings...',
    clearSearch: 'Clear the search',
    refresh: 'Refresh settings',
    refreshing: 'Refreshing settings...',
    refreshFailed: 'Failed to refresh settings. Please try again.',
    loading: 'Loading settings...',
    loadFailed: 'The settings could not be loaded.',
    history: 'History of changes',
    copy: 'Copy to...',
    /** The name of the button: it is in every topic. */
    copyFrom: (topic: string) => `Copy to..., ${topic}`,
    loadingChanges: 'Loading the changes...',
    nothingFound: 'No settings found matching your search',
    noneInTopic: 'This topic has no settings.',
    topic: topicName,
    blocked: 'Blocked',
    allowed: 'Allowed',
    blockedCount: (count: number) => (count === 0 ? '' : `${count} blocked`),
    /** The name of a toggle: the same setting is in every topic. */
    toggle: (label: string, topic: string) => `${label}, ${topic}`,
    updateFailed: 'Failed to update setting. Please try again.',
    updateFailedOffline:
      'Failed to update setting. Please try again. No answer came: check your connection.',
    lost: (title: string) =>
      `You no longer manage ${title}. Verify that you own it to change its settings.`,
    upgraded: 'This group became a supergroup',
    topicBroken: (topic: string) => `${topic} could not be shown.`,
    topicMissing: (topic: string) => `${topic} has no settings yet.`,
  },

  addTopic: {
    open: 'Add topic',
    openFor: (topic: string) => `Add ${topic}`,
    heading: 'Add a topic',
    known: 'Topics of this chat',
    find: 'Find a topic...',
    clearFind: 'Clear the search for topics',
    addKnown: (title: string, number: string | undefined) =>
      number === undefined ? `Add ${title}` : `Add ${title}, ${number}`,
    nothingKnown: 'No topic is called that. Its number works, too.',
    moreKnown: (count: number) => `${count} more: type a part of the name to find them.`,
    field: 'Topic number',
    hint: 'Copy the link of any message in the topic: in t.me/c/1234567890/42/108 the topic is 42. A new topic starts with everything allowed.',
    cancel: 'Cancel',
    submit: 'Add',
    missing: 'Please enter the number of the topic',
    exists: (topic: string) => `${topic} is already in the list`,
    failed: 'Failed to add the topic. Please try again.',
  },
} as const;
