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
  logout: 'Logout',
} as const;

export const sessionTexts = {
  title: 'Where you are logged in',
  label: 'Your sessions',
  loading: 'Loading your sessions...',
  failed: 'Your sessions could not be loaded.',
  thisDevice: 'This device',
  lastSeen: 'Last seen: {time}',
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

/** The way to a password without the old one. */
export const resetTexts = {
  forgot: 'Forgot your password?',
  set: 'Set a new password',
  none: 'Your account has no password yet.',
} as const;

export const deletionTexts = {
  title: 'Delete account',
  text: 'Your email address, your password, your pictures, your linked accounts, your list of chats and all your sessions are deleted. This cannot be undone. The settings of your chats stay as they are for the others who manage them.',
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
