/** The texts that several screens of the account share. */
export const texts = {
  fields: {
    telegramId: 'Telegram User ID',
    telegramIdHint: 'A number, such as 123456789. Any "my ID" bot on Telegram tells you yours.',
    telegramIdKnown: 'This is the Telegram account that opened the app.',
    notYou: 'Not you?',
    password: 'Password',
    showPassword: 'Show password',
    newPasswordHint: (min: number) =>
      `At least ${min} characters. A short sentence is easy to remember.`,
  },

  logIn: 'Log in',
  signUpAgain: 'Sign up again',
  /** `wait` as `formatWait` writes it. */
  tryAgainIn: (wait: string) => `You can try again in ${wait}.`,
} as const;
