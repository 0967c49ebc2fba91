/**
 * Passwords: which ones are too easy to guess, how tries are limited, and a new one without the old: for who proves the
 * Telegram ID by a code that the bot sends, or by launch data. It ends all sessions, so that an account that another
 * person could open is its owner's again.
 */
import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createAccountRepository, createRegistrationRepository } from '#server/db/accounts';
import { createSessionRepository } from '#server/db/sessions';
import { AppError } from '#server/lib/errors';
import { codeMinutes, limits } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';
import { type Messages } from '#server/services/messages';

import { createAttempts, hashAttempt } from './attempts.ts';
import { type OneTimePasswords } from './one-time-passwords.ts';
import { type Sessions } from './sessions.ts';
import { accountTexts, weaknessTexts } from './texts.ts';
import { type UserLanguageService } from './user-languages.ts';

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

const purpose = 'password';

type Tools = {
  readonly messages: Messages;
  readonly oneTimePasswords: OneTimePasswords;
  readonly sessions: Sessions;
  readonly userLanguages: UserLanguageService;
};

export function createPasswordResets(
  deps: Dependencies,
  { messages, oneTimePasswords, sessions, userLanguages }: Tools,
) {
  const { hasher, log } = deps;
  const { db } = deps.database;
  const accounts = createAccountRepository(db);
  const attempts = createAttempts(deps, purpose);

  async function sendCode(telegramId: number, code: string, asked: Language): Promise<void> {
    const account = await accounts.find(telegramId);
    if (account) {
      const { language } = userLanguages.pick(account.languages, asked);
      await messages.send(telegramId, language, (say) => ({
        text: say(accountTexts).resetCode(code, codeMinutes),
        code,
      }));
    }
  }

  /** Returns false when there is no such account. */
  async function store(telegramId: number, passwordHash: string): Promise<boolean> {
    const isStored = await db.transaction().execute(async (tx) => {
      // First: a login by the old password that is under way is either over by then, or refused.
      const hasAccount = await createAccountRepository(tx).setPasswordHash(
        telegramId,
        passwordHash,
      );
      await createRegistrationRepository(tx).removeAll(telegramId);
      await createSessionRepository(tx).removeAll(telegramId);
      return hasAccount;
    });
    sessions.publishEnd(telegramId);
    return isStored;
  }

  return {
    /**
     * Sends a code to the owner of the account, if there is one. Without one a code is made, too, and the answer
     * does not wait for the sending, so that neither it nor its time tells which IDs have an account. Returns the
     * attempt, without which the code is worth nothing: others cannot use up its tries.
     * Throws `rate_limited`.
     */
    async request(telegramId: number, language: Language): Promise<{ attempt: string }> {
      const count = { purpose, recipient: telegramId } as const;
      await oneTimePasswords.countSend(count);
      const attempt = attempts.make(telegramId);
      const code = await oneTimePasswords.make({ purpose, subject: hashAttempt(attempt) });
      sendCode(telegramId, code, language).catch((error: unknown) => {
        log.warn({ err: error }, 'Could not send the code for a new password');
      });
      return { attempt };
    },

    /**
     * Returns the hash of the new password. A weak one uses up no code. Throws `weak_password`,
     * `invalid_code`, `rate_limited`, `busy`.
     */
    async resetByCode(
      telegramId: number,
      { attempt, code, password }: { attempt: string; code: string; password: string },
    ): Promise<string> {
      if (!attempts.isOurs(attempt, telegramId)) {
        throw new AppError('invalid_code');
      }
      // Without the address of the account: its rule would tell which address an account has.
      await throwIfWeak(password, { telegramId, email: '' });
      const passwordHash = await hasher.hash(password);
      const subject = hashAttempt(attempt);
      await oneTimePasswords.verify({ purpose, subject, code });
      if (!(await store(telegramId, passwordHash))) {
        throw new AppError('invalid_code');
      }
      return passwordHash;
    },

    /**
     * For the user of launch data that is younger than an hour. Returns the hash of the new password. Throws
     * `no_account`, `weak_password`, `busy`.
     */
    async resetByLaunch(telegramId: number, password: string): Promise<string> {
      const account = await accounts.find(telegramId);
      if (!account) {
        throw new AppError('no_account');
      }
      await throwIfWeak(password, account);
      const passwordHash = await hasher.hash(password);
      if (!(await store(telegramId, passwordHash))) {
        throw new AppError('no_account');
      }
      return passwordHash;
    },
  };
}
