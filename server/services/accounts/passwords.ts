/** Says which passwords are too easy to guess, and why. */
import { AppError } from '#server/lib/errors';

type Owner = { readonly telegramId: number; readonly email: string };

const productName = 'nori';
const minBesideProductName = 8;
const minTellingLength = 4;

/** Throws `weak_password` with the reason. Length is the contract's own rule. */
export async function refuseWeakPassword(password: string, owner: Owner): Promise<void> {
  const reason = await weakness(password.toLowerCase(), owner);
  if (reason !== undefined) {
    throw new AppError('weak_password', { detail: reason });
  }
}

async function weakness(password: string, { telegramId, email }: Owner) {
  if (password.includes(String(telegramId))) {
    return 'Please choose a password that does not contain your Telegram user ID.';
  }
  const mailbox = email.slice(0, email.lastIndexOf('@')).toLowerCase();
  if (mailbox.length >= minTellingLength && password.includes(mailbox)) {
    return 'Please choose a password that does not contain your email address.';
  }
  // The name hides in ordinary words (honorific), so it only matters where little else is left.
  const rest = password.replaceAll(productName, '');
  if (rest !== password && Array.from(rest).length < minBesideProductName) {
    return 'Please choose a password that is more than the name of this site.';
  }
  if ((await commonPasswords()).has(password)) {
    return 'This password is one of the most common ones. Please choose another.';
  }
  return undefined;
}

let common: Promise<ReadonlySet<string>> | undefined;

/** Some 49,000 passwords that are tried first by everybody; loaded with the first need. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((word) => word.toLowerCase())),
  );
  return common;
}
