/** What the bot writes to people about their account. */
import { codeRules } from '#server/lib/limits';

const minutes = codeRules.lifetimeMs / 60_000;

export const accountTexts = {
  /** The code comes first, so that it shows in the notification. */
  code: (code: string, email: string) =>
    [
      `${code} is the code to create your Nori account.`,
      `Someone is creating a Nori account with your Telegram user ID and the email ${masked(email)}.`,
      `The code is good for ${minutes} minutes. If that was not you, ignore this message and give the code to nobody.`,
    ].join('\n\n'),

  accountExists: [
    'Someone tried to create a Nori account with your Telegram user ID, but you already have one.',
    'If that was you, log in with your password. If not, there is nothing to do.',
  ].join('\n\n'),
} as const;

/** Enough of an address for its owner to recognise it: a•••@x.org. */
function masked(email: string): string {
  return `${email.slice(0, 1)}•••${email.slice(email.lastIndexOf('@'))}`;
}
