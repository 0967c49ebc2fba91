/**
 * Passwords: which ones are too easy to guess, how tries are limited, and a new one without the old: for who proves the
 * Telegram ID by a code that the bot sends, or by launch data. It ends all sessions, so that an account that another
 * person could open is its owner's again.
 */
import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createAccountRepository, createRegistrationRepository } from '#server/db/accounts';
import { createPasskeyRepository } from '#server/db/passkeys';
import { createLaunchRepository, createSessionRepository } from '#server/db/sessions';
import { AppError } from '#server/lib/errors';
import { codeMinutes, limits } from '#server/lib/limits';
import { type Count, type Limiter } from '#server/services/limiter';
import { type Messages } from '#server/services/messages';

import { bindToRecipient, createAttempts, hashAttempt, toStartParam } from './attempts.ts';
import { type OneTimePasswords } from './one-time-passwords.ts';
import { type Sessions } from './sessions.ts';
import { accountTexts, weaknessTexts } from './texts.ts';
import { type UserLanguageService } from './user-languages.ts';

type Owner = { readonly telegramId: number; readonly email: string };

const productName = 'nori';
const minLengthBesideProductName = 8;
/** A shorter mailbox name occurs in ordinary words. */
const minMailboxLength = 4;

/**
 * Throws `weak_password` with the reason. The contract checks the length. Look-alikes and cases are one for this check
 * only: what is hashed is what was typed.
 */
export async function throwIfWeak(password: string, owner: Owner): Promise<void> {
  const reason = await findWeakness(password.normalize('NFKC').toLowerCase(), owner);
  if (reason !== undefined) {
    throw new AppError('weak_password', { detail: (say) => say(weaknessTexts)[reason] });
  }
}

async function findWeakness(
  password: string,
  { telegramId, email }: Owner,
): Promise<keyof typeof weaknessTexts | undefined> {
  if (/^[\s\p{Cf}]*$/u.test(password)) {
    return 'blank';
  }
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
  if (isRepeated(password) || isAlongKeys(password)) {
    return 'common';
  }
  const known = await loadCommonPasswords();
  return listPlainForms(password).some((form) => known.has(form)) ? 'common' : undefined;
}

/** As many characters as people add to a word when they are asked for a digit and a sign, or for a year. */
const ornament = /[^\p{L}]{1,6}$/u;
const leadingOrnament = /^[^\p{L}]{1,6}/u;
const letterLikes: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

const spell = (word: string, one: 'i' | 'l') =>
  word.replaceAll(/[@43!0$57]/g, (sign) => letterLikes[sign] ?? sign).replaceAll('1', one);

/** What attackers derive it from: without signs at its ends, and with letters for the signs that look like them. */
function listPlainForms(password: string): string[] {
  const stems = [password, password.replace(ornament, '')];
  const words = stems.flatMap((stem) => [stem, stem.replace(leadingOrnament, '')]);
  return words.flatMap((word) => [word, spell(word, 'i'), spell(word, 'l')]);
}

const longestPattern = 4;

/** One character, or a pattern of few, again and again. */
function isRepeated(password: string): boolean {
  const letters = Array.from(password);
  const lengths = Array.from({ length: longestPattern }, (_, index) => index + 1);
  return lengths.some((length) => letters.every((letter, at) => letter === letters[at % length]));
}

const keyRows = [
  ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  ['qwertzuiop', 'azertyuiop', 'yxcvbnm', 'wxcvbn'],
  ['йцукенгшщзхъ', 'фывапролджэ', 'ячсмитьбю'],
].flat();
const runLength = 3;

/** A way along the keyboard or the alphabet, such as qwertyuiop or abcd1234: runs of three and more. */
function isAlongKeys(password: string): boolean {
  const letters = Array.from(password);
  const breaks = letters.filter((letter, at) => at > 0 && !isNext(letters[at - 1] ?? '', letter));
  return (breaks.length + 1) * runLength <= letters.length;
}

function isNext(before: string, letter: string): boolean {
  const step = (letter.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0);
  const areKeys = keyRows.some(
    (row) => row.includes(before + letter) || row.includes(letter + before),
  );
  return areKeys || Math.abs(step) === 1;
}

let common: Promise<ReadonlySet<string>> | undefined;

/** About 49,000 passwords that attackers try first; loaded when first needed. */
function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((word) => word.toLowerCase())),
  );
  return common;
}

/** Where a password is tried from. `device` names one on which the user has logged in before. */
export type TriedFrom = { readonly address: string; readonly device?: string | undefined };

/**
 * What a wrong password counts against. Strangers have no known device of the user, so they never touch its count;
 * what they try from many addresses is limited in all.
 */
export function wrongPasswordCounts(
  telegramId: number,
  { address, device }: TriedFrom,
): readonly Count[] {
  return device === undefined
    ? [
        { limit: limits.loginFailures, key: `${telegramId}:${address}` },
        { limit: limits.wrongPasswordsPerDay, key: telegramId },
      ]
    : [{ limit: limits.loginFailures, key: `${telegramId}:device:${device}` }];
}

type Counts = {
  /** Counted in any case. */
  readonly calls?: readonly Count[];
  readonly failures: readonly Count[];
};

/**
 * Makes one try at the password of an account; `check` returns whether the password is right. The try
 * is counted before the check, so that parallel ones count, too, and uncounted when the password was
 * right or was not checked. Throws `rate_limited` or `code_required`, and what `check` throws.
 */
export async function tryPassword(
  limiter: Limiter,
  { calls = [], failures }: Counts,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const giveBack = () => limiter.giveBackAll(failures);
  let isRight: boolean;
  try {
    await limiter.takeAll([...calls, ...failures]);
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

/** What a code was asked for with: by the bot's Start it is sent, too, when this one was not. */
export type RequestedCode = {
  readonly attempt: string;
  readonly startParam: string;
  /** False when many were sent today: then the bot's Start sends it. */
  readonly isSent: boolean;
};

type Tools = {
  readonly limiter: Limiter;
  readonly messages: Messages;
  readonly oneTimePasswords: OneTimePasswords;
  readonly sessions: Sessions;
  readonly userLanguages: UserLanguageService;
};

export function createPasswordResets(
  deps: Dependencies,
  { limiter, messages, oneTimePasswords, sessions, userLanguages }: Tools,
) {
  const { hasher, clock, log } = deps;
  const { db } = deps.database;
  const accounts = createAccountRepository(db);
  const attempts = createAttempts(deps, purpose);

  /** Returns whether there is an account that it was sent for. */
  async function sendCode(telegramId: number, code: string, asked: Language): Promise<boolean> {
    const account = await accounts.find(telegramId);
    if (account) {
      const { language } = userLanguages.pick(account.languages, asked);
      await messages.send(telegramId, language, (say) => ({
        text: say(accountTexts).resetCode(code, codeMinutes),
        code,
      }));
    }
    return account !== undefined;
  }

  const makeCode = (attemptHash: string, telegramId: number) =>
    oneTimePasswords.make({ purpose, subject: bindToRecipient(attemptHash, telegramId) });

  /** Returns false when there is no such account. */
  async function store(telegramId: number, passwordHash: string): Promise<boolean> {
    const isStored = await db.transaction().execute(async (tx) => {
      // First: a login by the old password that is under way is either over by then, or refused.
      const hasAccount = await createAccountRepository(tx).setPasswordHash(
        telegramId,
        passwordHash,
      );
      await createRegistrationRepository(tx).removeAll(telegramId);
      await createLaunchRepository(tx).voidUntil(telegramId, clock());
      await createSessionRepository(tx).removeAll(telegramId);
      // Who could open the account may have added one, which would open it again.
      await createPasskeyRepository(tx).removeAll(telegramId);
      return hasAccount;
    });
    sessions.publishEnd(telegramId);
    return isStored;
  }

  return {
    /**
     * Sends a code to the owner of the account, if there is one. Without one a code is made, too, and the answer
     * does not wait for the sending, so that neither it nor its time tells which IDs have an account. Returns the
     * attempt, without which the code is worth nothing: others cannot use up its tries. When strangers have used up
     * the codes of the day, the bot's Start sends it. Throws `rate_limited` where the bot hears no Start.
     */
    async request(telegramId: number, language: Language): Promise<RequestedCode> {
      const isSent = await oneTimePasswords.countSendOrStart({ purpose, recipient: telegramId });
      const attempt = attempts.make(telegramId);
      if (isSent) {
        const code = await makeCode(hashAttempt(attempt), telegramId);
        sendCode(telegramId, code, language).catch((error: unknown) => {
          log.warn({ err: error }, 'Could not send the code for a new password');
        });
      }
      return { attempt, startParam: toStartParam('reset', attempt), isSent };
    },

    /**
     * Sends a code to the person who has pressed Start. It is theirs: for another person, whose attempt the link may
     * name, it is worth nothing. Throws `rate_limited`, `no_account`, `telegram_unavailable`.
     */
    async sendByStart(telegramId: number, attemptHash: string, language: Language): Promise<void> {
      await limiter.take(limits.codesByStart, telegramId);
      const code = await makeCode(attemptHash, telegramId);
      if (!(await sendCode(telegramId, code, language))) {
        throw new AppError('no_account');
      }
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
      const subject = bindToRecipient(hashAttempt(attempt), telegramId);
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
