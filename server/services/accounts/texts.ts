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

  confirmationCode: (code: string, minutes: number) =>
    [
      `${code} is the code to change your Nori account.`,
      'It confirms that you add or remove a passkey, or delete your account.',
      `The code is good for ${minutes} minutes. If that was not you, do not share the code, and log out everywhere.`,
    ].join('\n\n'),

  loginCode: (code: string, minutes: number) =>
    [
      `${code} is the code to log in to Nori.`,
      'Someone has entered your Telegram user ID and your password.',
      `The code is good for ${minutes} minutes. If that was not you, do not share the code, and set a new password.`,
    ].join('\n\n'),
} as const;

/** What the bot tells users about their accounts. `where` is a device, a part of an address and a time, with commas. */
export const noticeTexts = {
  login: (where: string) => `New login: ${where}.\n\nIf that was you, there is nothing to do.`,
  passwordChanged: (where: string) => `Your password was changed: ${where}.`,
  passkeyAdded: (name: string, where: string) =>
    `The passkey “${name}” was added to your account: ${where}.`,
  passkeyRemoved: (name: string, where: string) =>
    `The passkey “${name}” was removed from your account: ${where}.`,
  linked: (service: string, where: string) => `${service} was linked to your account: ${where}.`,
  /** A button that ends the session. */
  notMe: 'It wasn’t me',
  account: 'Your account',
  disowned: (device: string) =>
    `Logged out: ${device}. Now set a new password, so that only you can log in.`,
  disownedBefore:
    'That device is logged out already. Set a new password, so that only you can log in.',
  setPassword: 'Set a new password',
} as const;

/** What the bot sends with an export, or instead of it. */
export const exportTexts = {
  file: (hours: number) =>
    `All that Nori has stored about you. The server deletes its copy within ${hours} hours; this one is yours.`,
  link: 'Your data is ready, but it is too large for a message. Press the button to download it.',
  download: 'Download',
  tooLarge:
    'Your data is ready, but it is too large for a message. Download it on your account page.',
  underWay: 'Your data is being exported already.',
} as const;

export const weaknessTexts = {
  blank: 'Please choose a password that is more than spaces.',
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
