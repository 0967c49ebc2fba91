/** What more than one of the account's screens says. The rest is in the texts of each, so that one does not load the other's. */
import { formatWait } from '#lib/format';

export const texts = {
  fields: {
    telegramId: 'Telegram User ID',
    telegramIdHint: 'A number, such as 123456789. Any "my ID" bot on Telegram tells you yours.',
    telegramIdKnown: 'This is the Telegram account that opened the app.',
    notYou: 'Not you?',
    password: 'Password',
    showPassword: 'Show password',
    newPasswordHint: (min: number) =>
      `At least ${min} characters; a short sentence is easier to remember than a riddle.`,
  },

  logIn: 'Log in',
  signUpAgain: 'Sign up again',
  allFieldsRequired: 'All fields are required',
  tryAgainIn: (seconds: number) => `You can try again in ${formatWait(seconds)}.`,
} as const;
