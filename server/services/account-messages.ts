/** What the bot writes to people about their account. */
import { type OutgoingMessage } from '#server/upstream/telegram';

export const accountMessages = {
  code: (code: string, email: string): OutgoingMessage => ({
    text: [
      `Someone is creating a Nori account with this Telegram user ID and the email ${masked(email)}.`,
      `If that is you, enter this code: ${code.slice(0, 3)} ${code.slice(3)}`,
      'It is good for 5 minutes. If that is not you, ignore this message and give the code to nobody.',
    ].join('\n\n'),
    code,
  }),

  accountExists: (): OutgoingMessage => ({
    text: [
      'Someone tried to create a Nori account with your Telegram user ID, but you already have one.',
      'If that was you, log in with your password. If not, there is nothing to do.',
    ].join('\n\n'),
  }),
} as const;

/** Enough of an address for its owner to recognise it: a•••@x.org. */
function masked(email: string): string {
  return `${email.slice(0, 1)}•••${email.slice(email.lastIndexOf('@'))}`;
}
