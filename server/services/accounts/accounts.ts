import { type Dependencies } from '#server/app/dependencies';
/** Accounts: what a person may do with theirs, once it is there. */
import { createPersonRepository } from '#server/db/people';
import { createRegistrationRepository } from '#server/db/registrations';
import { AppError } from '#server/lib/errors';
import { type SessionUser } from '#server/lib/requester';
import { type Limiter } from '#server/services/limiter';

import { type LaunchUser } from './launch-data.ts';
import { tryPassword } from './password-tries.ts';
import { refuseWeakPassword } from './passwords.ts';
import { type Sessions } from './sessions.ts';

export function createAccountService(
  { database: { db }, clock, hasher }: Dependencies,
  { limiter, sessions }: { readonly limiter: Limiter; readonly sessions: Sessions },
) {
  const people = createPersonRepository(db);
  const registrations = createRegistrationRepository(db);

  async function find({ telegramId }: SessionUser) {
    const account = await people.find(telegramId);
    if (!account) {
      throw new AppError('unauthenticated');
    }
    return account;
  }

  /** Throws `wrong_password`, or `rate_limited` after too many of them. */
  async function confirm(person: SessionUser, password: string) {
    const account = await find(person);
    const isRight = await tryPassword(limiter, person.telegramId, () =>
      hasher.verify(password, account.passwordHash),
    );
    if (!isRight) {
      throw new AppError('wrong_password');
    }
    return account;
  }

  return {
    find,

    /**
     * Whether the password is that of the account. Exactly one verification is made, whoever asks,
     * so that neither the answer nor its time tells which ids have an account.
     * Throws `wrong_credentials`, `not_verified` (only to who registered), `rate_limited`, `busy`.
     */
    async checkLogin(telegramId: number, password: string): Promise<void> {
      const account = await people.find(telegramId);
      const [waiting] = await registrations.live(telegramId, clock());
      const hash = account?.passwordHash ?? waiting?.passwordHash ?? hasher.unmatchableHash;
      const isRight = await tryPassword(
        limiter,
        telegramId,
        async () => (await hasher.verify(password, hash)) && hash !== hasher.unmatchableHash,
      );
      if (!isRight) {
        throw new AppError('wrong_credentials');
      }
      if (!account) {
        throw new AppError('not_verified');
      }
      if (hasher.isOutdated(hash)) {
        // Only over the hash that was checked: a password changed meanwhile stays changed.
        await people.replacePasswordHash(telegramId, {
          old: hash,
          next: await hasher.hash(password),
        });
      }
    },

    /** Recognises a person whom Telegram vouches for. Throws `no_account`. */
    async recognise({ telegramId, ...profile }: LaunchUser): Promise<void> {
      if (!(await people.find(telegramId))) {
        throw new AppError('no_account');
      }
      await people.setProfile(telegramId, profile);
    },

    /** Throws `wrong_password` or `weak_password`. */
    async changePassword(
      person: SessionUser,
      change: { readonly current: string; readonly next: string; readonly endOthers: boolean },
    ): Promise<void> {
      const { telegramId, email } = await confirm(person, change.current);
      await refuseWeakPassword(change.next, { telegramId, email });
      await people.setPasswordHash(telegramId, await hasher.hash(change.next));
      if (change.endOthers) {
        await sessions.endOthers(person);
      }
    },

    /** Deletes the account with everything tied to it. Throws `wrong_password`. */
    async remove(person: SessionUser, password: string): Promise<void> {
      const { telegramId } = await confirm(person, password);
      await db.transaction().execute(async (tx) => {
        await createRegistrationRepository(tx).removeAll(telegramId);
        await createPersonRepository(tx).remove(telegramId);
      });
    },
  };
}
