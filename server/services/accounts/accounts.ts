/** Accounts: checking a login, changing the password, and deleting the account. */
import { type Dependencies } from '#server/app/dependencies';
import { createAccountRepository, createRegistrationRepository } from '#server/db/accounts';
import { AppError } from '#server/lib/errors';
import { type SessionUser } from '#server/lib/requester';
import { type Limiter } from '#server/services/limiter';

import { type LaunchUser } from './launch-data.ts';
import { throwIfWeak, tryPassword } from './passwords.ts';
import { type Sessions } from './sessions.ts';
import { type UserLanguageService } from './user-languages.ts';

type Tools = {
  readonly limiter: Limiter;
  readonly sessions: Sessions;
  readonly userLanguages: UserLanguageService;
};

export function createAccountService(
  { database: { db }, clock, hasher }: Dependencies,
  { limiter, sessions, userLanguages }: Tools,
) {
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
    const isRight = await tryPassword(limiter, user.telegramId, () =>
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

    /**
     * Returns the hash of the password when it is that of the account. Every call makes exactly one statement and one
     * verification, so that neither the answer nor its time tells which IDs have an account.
     * Throws `wrong_credentials`, `not_verified` (only with the password of a registration),
     * `rate_limited`, `busy`.
     */
    async checkLogin(telegramId: number, password: string): Promise<string> {
      const found = await accounts.findPasswordHash(telegramId, clock());
      const isRight = await tryPassword(limiter, telegramId, async () => {
        const matches = await hasher.verify(password, found?.hash ?? hasher.unmatchableHash);
        return matches && found !== undefined;
      });
      if (!isRight || !found) {
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
      await db.transaction().execute(async (tx) => {
        await createRegistrationRepository(tx).removeAll(telegramId);
        await createAccountRepository(tx).remove(telegramId);
      });
    },
  };
}
