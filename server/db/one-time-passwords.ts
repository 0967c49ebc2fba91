/** Stores one-time passwords as keyed hashes, at most one for each subject. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

type Otp = Tables['otps'];
type Subject = Pick<Otp, 'purpose' | 'subject'>;

export function createOtpRepository(db: Kysely<Tables>) {
  return {
    /** Stores a code and replaces an earlier one for the same subject. */
    async replace(
      { purpose, subject }: Subject,
      code: Omit<Otp, keyof Subject | 'tries' | 'plain_tries'>,
    ) {
      const fresh = { ...code, tries: 0, plain_tries: 0 };
      await db
        .insertInto('otps')
        .values({ ...fresh, purpose, subject })
        .onConflict((conflict) => conflict.columns(['purpose', 'subject']).doUpdateSet(fresh))
        .execute();
    },

    /**
     * Counts a try and reads the code, in one statement, so that parallel guesses all count. With `maxPlainTries`, the
     * try is one of those that anyone can make. Undefined when there is no code, when it has expired, or when its tries
     * are used up.
     */
    async countTry(
      { purpose, subject }: Subject,
      { now, maxTries, maxPlainTries }: { now: number; maxTries: number; maxPlainTries?: number },
    ) {
      return db
        .updateTable('otps')
        .set(({ eb }) => ({
          tries: eb('tries', '+', 1),
          plain_tries: eb('plain_tries', '+', maxPlainTries === undefined ? 0 : 1),
        }))
        .where('purpose', '=', purpose)
        .where('subject', '=', subject)
        .where('expires_at', '>', now)
        .where('tries', '<', maxTries)
        .$if(maxPlainTries !== undefined, (query) =>
          query.where('plain_tries', '<', maxPlainTries ?? 0),
        )
        .returning(['id', 'code_hash'])
        .executeTakeFirst();
    },

    /** Removes the code. Of two calls at the same time, one returns true. */
    async use(id: string): Promise<boolean> {
      const used = await db
        .deleteFrom('otps')
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      return used !== undefined;
    },

    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('otps').where('expires_at', '<=', now).execute();
    },
  };
}
