/** The texts of setting a new password without the old one. */
export const resetTexts = {
  title: 'Set a new password',
  lead: 'The bot sends you a one-time password on Telegram to confirm that it is you.',
  leadInTelegram:
    'Telegram confirms that it is you, so you need neither a code nor your old password.',
  /** The server says the same for every ID, so this promises no code either. */
  sent: (telegramId: string) =>
    `If Telegram user ${telegramId} has an account, a 6-digit OTP is on its way.`,
  ends: 'Every device has to log in again with the new password.',
  /** An intruder may have added them. */
  passkeysGo: 'Your passkeys are removed.',
  send: 'Send OTP',
  sending: 'Sending OTP...',
  sendFailed: 'The OTP could not be sent. Please try again.',
  otherId: 'Use another ID',
  password: 'New Password',
  showPassword: 'Show new password',
  confirmed: 'Confirm New Password',
  showConfirmed: 'Show confirmed password',
  differ: 'Passwords do not match',
  submit: 'Set Password',
  busy: 'Setting...',
  failed: 'The password could not be set. Please try again.',
  done: 'Your new password is set, and every other device is logged out.',
  notOffered: 'This server cannot set a new password.',
  notOfferedText: 'Please ask the people who run it.',
  back: 'Back to the login',
} as const;
