/** Stores registrations that wait for their code. They are inert: nobody can log in with one. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

export type Registration = {
  /** Hash of the attempt, of which only the browser that registered knows the original. */
  readonly attemptHash: string;
  readonly telegramId: number;
  readonly email: string;
  readonly passwordHash: string;
};

export function createRegistrationRepository(db: Kysely<Tables>) {
  return {
    async add(registration: Registration, life: { createdAt: number; expiresAt: number }) {
      await db
        .insertInto('registrations')
        .values({
          attempt_hash: registration.attemptHash,
          telegram_id: registration.telegramId,
          email: registration.email,
          password_hash: registration.passwordHash,
          created_at: life.createdAt,
          expires_at: life.expiresAt,
        })
        .execute();
    },

    /** Those of this id that still wait, the newest first. */
    async live(telegramId: number, now: number): Promise<Registration[]> {
      const rows = await db
        .selectFrom('registrations')
        .selectAll()
        .where('telegram_id', '=', telegramId)
        .where('expires_at', '>', now)
        .orderBy('created_at', 'desc')
        .orderBy('attempt_hash')
        .execute();
      return rows.map((row) => ({
        attemptHash: row.attempt_hash,
        telegramId: row.telegram_id,
        email: row.email,
        passwordHash: row.password_hash,
      }));
    },

    /** Removes all of this id, with their codes. */
    async removeAll(telegramId: number): Promise<void> {
      await db
        .deleteFrom('otps')
        .where('purpose', '=', 'registration')
        .where('subject', 'in', (query) =>
          query
            .selectFrom('registrations')
            .select('attempt_hash')
            .where('telegram_id', '=', telegramId),
        )
        .execute();
      await db.deleteFrom('registrations').where('telegram_id', '=', telegramId).execute();
    },

    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('registrations').where('expires_at', '<=', now).execute();
    },
  };
}
