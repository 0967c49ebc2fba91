/** Passwords: which ones are too easy to guess, and how tries are limited. */
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';

import { weaknessTexts } from './texts.ts';

type Owner = { readonly telegramId: number; readonly email: string };

const productName = 'nori';
const minLengthBesideProductName = 8;
/** A shorter mailbox name occurs in ordinary words. */
const minMailboxLength = 4;

/** Throws `weak_password` with the reason. The contract checks the length. */
export async function throwIfWeak(password: string, owner: Owner): Promise<void> {
  const reason = await findWeakness(password.toLowerCase(), owner);
  if (reason !== undefined) {
    throw new AppError('weak_password', { detail: (say) => say(weaknessTexts)[reason] });
  }
}

async function findWeakness(
  password: string,
  { telegramId, email }: Owner,
): Promise<keyof typeof weaknessTexts | undefined> {
  if (password.includes(String(telegramId))) {
    return 'telegramId';
  }
  const mailbox = email.slice(0, email.lastIndexOf('@')).toLowerCase();
  if (mailbox.length >= minMailboxLength && password.includes(mailbox)) {
    return 'email';
  }
  // The name is part of ordinary words (honorific), so it only matters when little else is left.
  const rest = password.replaceAll(productName, '');
  if (rest !== password && Array.from(rest).length < minLengthBesideProductName) {
    return 'productName';
  }
  if ((await loadCommonPasswords()).has(password)) {
    return 'common';
  }
  return undefined;
}

let common: Promise<ReadonlySet<string>> | undefined;

/** About 49,000 passwords that attackers try first; loaded when first needed. */
function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((word) => word.toLowerCase())),
  );
  return common;
}

/**
 * Makes one try at the password of an account; `check` returns whether the password is right. The try
 * is counted before the check, so that parallel ones count, too, and uncounted when the password was
 * right or could not be checked. Throws `rate_limited`, and what `check` throws.
 */
export async function tryPassword(
  limiter: Limiter,
  telegramId: number,
  check: () => Promise<boolean>,
): Promise<boolean> {
  await limiter.take(limits.loginFailures, telegramId);
  const giveBack = () => limiter.giveBack(limits.loginFailures, telegramId);
  let isRight: boolean;
  try {
    isRight = await check();
  } catch (error) {
    await giveBack();
    throw error;
  }
  if (isRight) {
    await giveBack();
  }
  return isRight;
}
