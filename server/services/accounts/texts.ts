/** What users read about their accounts and passwords. */

/** Messages of the bot. The code comes first, so that it shows in the notification. */
export const accountTexts = {
  /** `email` is masked. */
  code: (code: string, email: string, minutes: number) =>
    [
      `${code} is the code to create your Nori account.`,
      `Someone is creating a Nori account with your Telegram user ID and the email ${email}.`,
      `The code is good for ${minutes} minutes. If that was not you, ignore this message and do not share the code.`,
    ].join('\n\n'),

  accountExists:
    'Someone tried to create a Nori account with your Telegram user ID, but you already have one.\n\nIf that was you, log in with your password. If not, there is nothing to do.',

  resetCode: (code: string, minutes: number) =>
    [
      `${code} is the code to set a new password for your Nori account.`,
      `The code is good for ${minutes} minutes. If you did not ask for it, ignore this message and do not share the code.`,
    ].join('\n\n'),
} as const;

export const weaknessTexts = {
  telegramId: 'Please choose a password that does not contain your Telegram user ID.',
  email: 'Please choose a password that does not contain your email address.',
  productName: 'Please choose a password that is more than the name of this site.',
  common: 'This password is one of the most common ones. Please choose another.',
} as const;

/** Devices in the list of sessions. */
export const deviceTexts = {
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  unknown: 'Unknown device',
} as const;
