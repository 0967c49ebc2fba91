/** Accounts: checking a login, changing the password, and deleting the account. */
import { type Language } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createAccountRepository } from '#server/db/accounts';
import { AppError } from '#server/lib/errors';
import { codeMinutes, limits } from '#server/lib/limits';
import { type Caller, type SessionUser } from '#server/lib/requester';
import { type Limiter } from '#server/services/limiter';
import { type Messages } from '#server/services/messages';

import { bindToRecipient, createAttempts, createKnownDevices, hashAttempt } from './attempts.ts';
import { type Erasure } from './erasure.ts';
import { type AccountEvents } from './events.ts';
import { type LaunchUser } from './launch-data.ts';
import { type OneTimePasswords } from './one-time-passwords.ts';
import { throwIfWeak, tryPassword, wrongPasswordCounts } from './passwords.ts';
import { type Sessions } from './sessions.ts';
import { accountTexts } from './texts.ts';
import { type UserLanguageService } from './user-languages.ts';

type Tools = {
  readonly accountEvents: AccountEvents;
  readonly erasure: Erasure;
  readonly limiter: Limiter;
  readonly messages: Messages;
  readonly oneTimePasswords: OneTimePasswords;
  readonly sessions: Sessions;
  readonly userLanguages: UserLanguageService;
};

type Login = {
  readonly telegramId: number;
  readonly password: string;
  readonly caller: Caller;
  /** What an earlier login has left on this device. */
  readonly device?: string | undefined;
  /** The code that the bot has sent for this login, which is needed after many wrong passwords. */
  readonly code?: { readonly attempt: string; readonly digits: string } | undefined;
};

export function createAccountService(deps: Dependencies, tools: Tools) {
  const { erasure, limiter, sessions, userLanguages } = tools;
  const { hasher } = deps;
  const { db } = deps.database;
  const accounts = createAccountRepository(db);

  async function find({ telegramId }: SessionUser) {
    const account = await accounts.find(telegramId);
    if (!account) {
      throw new AppError('unauthenticated');
    }
    return account;
  }

  /** Throws `wrong_password`, or `rate_limited` after too many wrong ones. */
  async function confirm(user: SessionUser, password: string) {
    const account = await find(user);
    const key = `${user.telegramId}:${user.sessionId}`;
    const failures = [{ limit: limits.wrongConfirmations, key }];
    const isRight = await tryPassword(limiter, { failures }, () =>
      hasher.verify(password, account.passwordHash),
    );
    if (!isRight) {
      throw new AppError('wrong_password');
    }
    return account;
  }

  return {
    /** Throws `unauthenticated`. */
    async find(user: SessionUser) {
      const account = await find(user);
      return { ...account, hasPassword: !hasher.isUnmatchable(account.passwordHash) };
    },

    ...createLogin(deps, tools),

    /** Saves the profile from launch data. Throws `no_account`. */
    async updateFromLaunch({ telegramId, ...profile }: LaunchUser): Promise<void> {
      const account = await accounts.find(telegramId);
      if (!account) {
        throw new AppError('no_account');
      }
      await accounts.setProfile(telegramId, profile);
      const { chosen, said } = account.languages;
      const { language = said } = profile;
      if (chosen === undefined && (language ?? undefined) !== said) {
        userLanguages.publish(telegramId, { chosen, said: language ?? undefined });
      }
    },

    /** Throws `wrong_password` or `weak_password`. */
    async changePassword(
      user: SessionUser,
      change: { readonly current: string; readonly next: string; readonly endOthers: boolean },
    ): Promise<void> {
      const { telegramId, email, passwordHash } = await confirm(user, change.current);
      await throwIfWeak(change.next, { telegramId, email });
      // Another password that the owner has set meanwhile stays.
      const next = await hasher.hash(change.next);
      if (!(await accounts.setPasswordHash(telegramId, next, passwordHash))) {
        throw new AppError('wrong_password');
      }
      if (change.endOthers) {
        await sessions.endOthers(user);
      }
    },

    confirm,

    /** Deletes the account and all that belongs to it. The caller has confirmed that it is the user who asks. */
    async remove({ telegramId }: SessionUser): Promise<void> {
      await erasure.erase(telegramId);
    },
  };
}

const purpose = 'login';

type Checked = Awaited<ReturnType<ReturnType<typeof createCheck>>>;

/** Checks a password by one statement and one verification for every ID. */
function createCheck({ database: { db }, clock, hasher }: Dependencies) {
  const accounts = createAccountRepository(db);
  return async ({ telegramId, password }: Pick<Login, 'telegramId' | 'password'>) => {
    const found = await accounts.findPasswordHash(telegramId, clock());
    const matches = await hasher.verify(password, found?.hash ?? hasher.unmatchableHash);
    return { isRight: matches && found !== undefined, found };
  };
}

/** Checks the password of a login, and sends codes for logins to which a password is not enough. */
function createLogin(deps: Dependencies, tools: Tools) {
  const { accountEvents, limiter, messages, oneTimePasswords, userLanguages } = tools;
  const { hasher, log } = deps;
  const accounts = createAccountRepository(deps.database.db);
  const attempts = createAttempts(deps, purpose);
  const devices = createKnownDevices(deps);
  const check = createCheck(deps);

  async function checkByPassword(login: Login): Promise<Checked> {
    const { telegramId, caller, device } = login;
    const known = devices.read(device, telegramId);
    const counts = {
      calls: [{ limit: limits.addressLogins, key: caller.address }],
      failures: wrongPasswordCounts(telegramId, { address: caller.address, device: known }),
    };
    let checked: Checked = { isRight: false, found: undefined };
    try {
      await tryPassword(limiter, counts, async () => {
        checked = await check(login);
        return checked.isRight;
      });
    } catch (error) {
      if (error instanceof AppError && error.code !== 'busy') {
        await accountEvents.record({ kind: 'login_locked', telegramId, caller });
      }
      throw error;
    }
    return checked;
  }

  /** The code comes first: without it no password can be tried, so that wrong passwords count nowhere. */
  async function checkByCode(login: Login, { attempt, digits }: NonNullable<Login['code']>) {
    const { telegramId, caller } = login;
    await limiter.take(limits.addressLogins, caller.address);
    if (!attempts.isOurs(attempt, telegramId)) {
      throw new AppError('invalid_code');
    }
    const subject = bindToRecipient(hashAttempt(attempt), telegramId);
    await oneTimePasswords.verify({ purpose, subject, code: digits });
    return check(login);
  }

  async function sendCode(telegramId: number, code: string, asked: Language): Promise<void> {
    // Only those who know the password come here, so that strangers cannot use up the messages of a day.
    const account = await accounts.find(telegramId);
    if (account && (await limiter.tryTake(limits.codesPerDay, `${purpose}:${telegramId}`))) {
      const { language } = userLanguages.pick(account.languages, asked);
      await messages.send(telegramId, language, (say) => ({
        text: say(accountTexts).loginCode(code, codeMinutes),
        code,
      }));
    }
  }

  return {
    /**
     * Returns the hash of the password when it is that of the account. Every call makes the same statements and one
     * verification, so that neither the answer nor its time tells which IDs have an account. After many wrong
     * passwords of a day it throws `code_required` for every ID alike, without looking at the password, unless the
     * device is known or the code is given. Throws `wrong_credentials`, `not_verified` (only with the password of a
     * registration), `invalid_code`, `rate_limited`, `busy`.
     */
    async checkLogin(login: Login): Promise<string> {
      const { telegramId, password, caller, code } = login;
      const { isRight, found } = await (code === undefined
        ? checkByPassword(login)
        : checkByCode(login, code));
      if (!isRight || !found) {
        await accountEvents.record({ kind: 'login_failed', telegramId, caller });
        throw new AppError('wrong_credentials');
      }
      if (!found.isVerified) {
        throw new AppError('not_verified');
      }
      if (!hasher.isOutdated(found.hash)) {
        return found.hash;
      }
      // Replaces only the hash that was checked: a password that was changed meanwhile stays.
      const hash = await hasher.hash(password);
      await accounts.setPasswordHash(telegramId, hash, found.hash);
      return hash;
    },

    /**
     * Sends a code for a login, only with the right password. For every ID and password a code is made, and the answer
     * does not wait for the sending, so that neither it nor its time tells whether the password is right. Throws `busy`.
     */
    async sendLoginCode(
      telegramId: number,
      password: string,
      language: Language,
    ): Promise<{ attempt: string }> {
      const { isRight, found } = await check({ telegramId, password });
      const attempt = attempts.make(telegramId);
      const subject = bindToRecipient(hashAttempt(attempt), telegramId);
      const code = await oneTimePasswords.make({ purpose, subject });
      if (isRight && found?.isVerified === true) {
        sendCode(telegramId, code, language).catch((error: unknown) => {
          log.warn({ err: error }, 'Could not send the code for a login');
        });
      }
      return { attempt };
    },
  };
}
