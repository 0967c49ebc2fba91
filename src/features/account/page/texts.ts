/** The texts of the account's page. */

export const accountTexts = {
  title: 'Your account',
  who: (telegramId: string) => `Telegram user ${telegramId}`,
  loading: 'Loading your account...',
  notOffered: 'This server does not offer this.',
  back: 'Back to the dashboard',
  retry: 'Try again',
  cancel: 'Cancel',
  language: 'Language',
  botLanguage: 'The bot writes to you in',
  botLanguageFailed: 'The language could not be saved. Please try again.',
  logout: 'Logout',
} as const;

export const sessionTexts = {
  title: 'Where you are logged in',
  label: 'Your sessions',
  loading: 'Loading your sessions...',
  failed: 'Your sessions could not be loaded.',
  thisDevice: 'This device',
  lastSeen: 'Last seen: {time}',
  lastSeenFrom: 'Last seen: {time}, from {address}',
  endOne: 'Log out',
  endOneLabel: (device: string) => `Log out: ${device}`,
  endOneText: (device: string) => `${device} has to log in again.`,
  endedOne: (device: string) => `${device} is logged out.`,
  endOneFailed: 'The device could not be logged out. Please try again.',
  endOthers: 'Log out everywhere else',
  endOthersText: 'Every other device has to log in again. This one stays logged in.',
  confirm: 'Log out',
  ended: (count: number) =>
    count === 1 ? '1 other device was logged out.' : `${count} other devices were logged out.`,
  endFailed: 'The other devices could not be logged out. Please try again.',
} as const;

export const passwordTexts = {
  title: 'Change password',
  current: 'Current Password',
  showCurrent: 'Show current password',
  next: 'New Password',
  showNext: 'Show new password',
  confirmed: 'Confirm New Password',
  showConfirmed: 'Show confirmed password',
  endOthers: 'Log out everywhere else',
  submit: 'Change Password',
  busy: 'Changing...',
  differ: 'Passwords do not match',
  changed: 'Your password is changed.',
  changedEverywhere: 'Your password is changed, and every other device is logged out.',
  failed: 'The password could not be changed. Please try again.',
} as const;

/** What happened to the account. */
export const eventTexts = {
  title: 'What happened',
  label: 'What happened to your account',
  loading: 'Loading what happened...',
  failed: 'What happened could not be loaded.',
  empty: 'Nothing has happened in the last 90 days.',
  foot: 'The last 90 days. If something was not you, set a new password and log out everywhere else.',
  showAll: (count: number) => `Show all ${count}`,
  kinds: {
    accountCreated: 'Account created',
    loginByPassword: 'Login by password',
    loginByTelegram: 'Login by Telegram',
    loginByPasskey: 'Login by passkey',
    loginByCode: 'Login by OTP',
    loginFailed: (times: number) =>
      times === 1 ? 'Login with a wrong password' : `${times} logins with a wrong password`,
    sessionEnded: 'A device was logged out',
    sessionsEnded: 'All other devices were logged out',
    passwordChanged: 'New password',
    passkeyAdded: (name: string) => `Passkey added: ${name}`,
    passkeyRemoved: (name: string) => `Passkey removed: ${name}`,
    linked: (service: string) => `${service} linked`,
    unlinked: (service: string) => `${service} unlinked`,
    exported: 'Your data exported',
  },
} as const;

/** What the bot reminds the user of. */
export const reminderTexts = {
  title: 'Reminders',
  label: 'Your reminders',
  loading: 'Loading your reminders...',
  failed: 'Your reminders could not be loaded.',
  empty: 'You have no reminders.',
  foot: 'For a new one, write to the bot: {command}',
  example: '/remind 2h tea',
  /** What the reminder is of, when it has no text. */
  message: 'A message',
  inGroup: 'In a group',
  inPrivate: 'In your chat with the bot',
  remove: 'Delete',
  removeLabel: (text: string) => `Delete: ${text}`,
  question: 'Delete reminder',
  removed: 'The reminder is deleted.',
  removeFailed: 'The reminder could not be deleted. Please try again.',
} as const;

/** The way to a password without the old one. */
export const resetTexts = {
  forgot: 'Forgot your password?',
  set: 'Set a new password',
  none: 'Your account has no password yet.',
} as const;

/** The file with all that is stored about the user. */
export const exportTexts = {
  title: 'Your data',
  loading: 'Loading your data...',
  loadFailed: 'The state of your export could not be loaded.',
  foot: 'A ZIP file with your pictures and all that is stored about you. It is deleted after 24 hours.',
  start: 'Export my data',
  startAgain: 'Export my data again',
  byBot: 'Send it to my chat with the bot',
  busy: 'Your data is being gathered...',
  sending: 'The bot is sending it...',
  startFailed: 'The export could not be started. Please try again.',
  failed: 'The export failed. Please try again later.',
  download: 'Download',
  megabytes: (count: string) => `${count} MB`,
  until: (time: string) => `until ${time}`,
  sent: 'The bot has sent it to you, too.',
  refused: 'The download did not start. Please try again.',
} as const;

export const deletionTexts = {
  title: 'Delete account',
  whatGoes:
    'All that is stored about you is deleted at once: your email address, your password, your pictures, your linked accounts, your list of chats and all your sessions. This cannot be undone. The settings of your chats stay for the others who manage them, without your name.',
  submit: 'Delete Account',
  busy: 'Deleting...',
  question: 'Delete account',
  questionText:
    'Your account, your pictures, your linked accounts and your list of chats are deleted for good. Do you want to go on?',
  confirm: 'Delete',
  deleted: 'Your account is deleted.',
  failed: 'The account could not be deleted. Please try again.',
} as const;

/** What proves that the user is there. */
export const proofTexts = {
  byPasskey: 'Use a passkey',
  byPassword: 'Use my password',
  sendCode: 'Send me a code',
  codeSent: 'The bot has sent you a 6-digit code on Telegram.',
  sendFailed: 'The code could not be sent. Please try again.',
} as const;

export const passkeyTexts = {
  title: 'Passkeys',
  text: 'Log in with your fingerprint, your face or the PIN of your device, without a password.',
  label: 'Your passkeys',
  loading: 'Loading your passkeys...',
  loadFailed: 'Your passkeys could not be loaded.',
  added: 'Added: {time}',
  used: 'Last used: {time}',
  add: 'Add a passkey',
  name: 'Name',
  nameHint: 'Such as "My phone". Without one it is named after this device.',
  submitAdd: 'Continue',
  busyAdd: 'Adding...',
  addFailed: 'The passkey could not be added. Please try again.',
  wasAdded: (name: string) => `${name} was added. You can now log in with it.`,
  /** Confirmed, but the question of the browser was closed. */
  notMade: 'No passkey was made yet.',
  make: 'Make the passkey',
  elsewhere: 'To add one, open Nori in a browser.',
  remove: 'Remove',
  removeLabel: (name: string) => `Remove ${name}`,
  removeText: 'You cannot log in with this passkey any more.',
  submitRemove: 'Remove passkey',
  busyRemove: 'Removing...',
  removeFailed: 'The passkey could not be removed. Please try again.',
  wasRemoved: (name: string) => `${name} was removed.`,
} as const;
