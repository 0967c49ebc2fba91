/** What a user is asked and told about who has opened the app. */

/** A popup: at most 256 characters, and 64 in its title and on a button. */
export const identityTexts = {
  title: 'Another Telegram account',
  question: (formerId: string, name: string) =>
    `This device was used by Telegram user ${formerId}. Telegram says that you are ${name}. Going on removes what this device keeps of the other account.`,
  stay: 'Stay',
  goOn: (name: string) => `Go on as ${name}`,
  nameless: (telegramId: string) => `user ${telegramId}`,
} as const;
