/** Stores one-time passwords as keyed hashes, at most one for each subject. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

type Otp = Tables['otps'];
type Subject = Pick<Otp, 'purpose' | 'subject'>;

export function createOtpRepository(db: Kysely<Tables>) {
  return {
    /** Stores a code and replaces an earlier one for the same subject. */
    async replace({ purpose, subject }: Subject, code: Omit<Otp, keyof Subject | 'tries'>) {
      const fresh = { ...code, tries: 0 };
      await db
        .insertInto('otps')
        .values({ ...fresh, purpose, subject })
        .onConflict((conflict) => conflict.columns(['purpose', 'subject']).doUpdateSet(fresh))
        .execute();
    },

    /**
     * Counts a try and reads the code, in one statement, so that parallel guesses all count.
     * Undefined when there is no code, when it has expired, or when its tries are used up.
     */
    async countTry(
      { purpose, subject }: Subject,
      { now, maxTries }: { now: number; maxTries: number },
    ) {
      return db
        .updateTable('otps')
        .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
        .where('purpose', '=', purpose)
        .where('subject', '=', subject)
        .where('expires_at', '>', now)
        .where('tries', '<', maxTries)
        .returning(['id', 'code_hash'])
        .executeTakeFirst();
    },

    /** Reads the code without counting a try; undefined as in `countTry`. */
    async find(
      { purpose, subject }: Subject,
      { now, maxTries }: { now: number; maxTries: number },
    ) {
      return db
        .selectFrom('otps')
        .select(['id', 'code_hash'])
        .where('purpose', '=', purpose)
        .where('subject', '=', subject)
        .where('expires_at', '>', now)
        .where('tries', '<', maxTries)
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
