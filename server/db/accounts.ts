/** Stores accounts, and the registrations that wait for their code. */
import { type Kysely, sql } from 'kysely';

import { type Language } from '#contract/languages';

import { toUserLanguages, type UserLanguages } from './languages.ts';
import { type Tables } from './tables.ts';

export type Account = {
  readonly telegramId: number;
  readonly email: string;
  readonly passwordHash: string;
  readonly profile: Profile;
  readonly languages: UserLanguages;
};

/** What Telegram says about a user; unknown fields are missing. */
export type Profile = {
  readonly firstName?: string | undefined;
  readonly username?: string | undefined;
  readonly photoUrl?: string | undefined;
  /** The language of their Telegram; null when it is none of ours. An unknown one stays as it is stored. */
  readonly language?: Language | null | undefined;
};

type NewAccount = {
  readonly telegramId: number;
  readonly email: string;
  readonly passwordHash: string;
  readonly createdAt: number;
};

/** `db` is the database, or the transaction of the caller. */
export function createAccountRepository(db: Kysely<Tables>) {
  return {
    async find(telegramId: number): Promise<Account | undefined> {
      const row = await db
        .selectFrom('people')
        .selectAll()
        .where('telegram_id', '=', telegramId)
        .executeTakeFirst();
      return (
        row && {
          telegramId: row.telegram_id,
          email: row.email,
          passwordHash: row.password_hash,
          profile: {
            firstName: row.first_name ?? undefined,
            username: row.username ?? undefined,
            photoUrl: row.photo_url ?? undefined,
          },
          languages: toUserLanguages(row),
        }
      );
    },

    /**
     * The password hash of the account, or else of the newest waiting registration. One statement in both
     * cases, so that the time of a login does not tell which IDs have an account.
     */
    async findPasswordHash(
      telegramId: number,
      now: number,
    ): Promise<{ readonly hash: string; readonly isVerified: boolean } | undefined> {
      const row = await db
        .selectFrom('people')
        .select(['password_hash as hash', 'created_at', sql<number>`1`.as('is_verified')])
        .where('telegram_id', '=', telegramId)
        .unionAll((eb) =>
          eb
            .selectFrom('registrations')
            .select(['password_hash as hash', 'created_at', sql<number>`0`.as('is_verified')])
            .where('telegram_id', '=', telegramId)
            .where('expires_at', '>', now),
        )
        .orderBy('is_verified', 'desc')
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && { hash: row.hash, isVerified: row.is_verified === 1 };
    },

    /** Returns false when there is an account already, which stays as it is. */
    async add({ telegramId, email, passwordHash, createdAt }: NewAccount): Promise<boolean> {
      const added = await db
        .insertInto('people')
        .values({
          telegram_id: telegramId,
          email,
          password_hash: passwordHash,
          created_at: createdAt,
        })
        .onConflict((conflict) => conflict.column('telegram_id').doNothing())
        .returning('telegram_id')
        .executeTakeFirst();
      return added !== undefined;
    },

    /** With `old`, replaces the hash only if it is still `old`. Returns whether it was replaced. */
    async setPasswordHash(telegramId: number, hash: string, old?: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('people')
        .set({ password_hash: hash })
        .where('telegram_id', '=', telegramId)
        .$if(old !== undefined, (query) => query.where('password_hash', '=', old ?? ''))
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    async setProfile(telegramId: number, profile: Profile): Promise<void> {
      await db
        .updateTable('people')
        .set({
          first_name: profile.firstName ?? null,
          username: profile.username ?? null,
          photo_url: profile.photoUrl ?? null,
          ...(profile.language === undefined ? {} : { language_code: profile.language }),
        })
        .where('telegram_id', '=', telegramId)
        .execute();
    },
  };
}

export type Registration = {
  /** Hash of the attempt; only the browser that registered knows the attempt itself. */
  readonly attemptHash: string;
  readonly telegramId: number;
  readonly email: string;
  readonly passwordHash: string;
};

/** A registration is inert: it allows no login before its code is entered. */
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

    /**
     * The registration of this Telegram ID that has not expired; undefined when there is none. Without a hash, also
     * when there are several.
     */
    async findWaiting(
      telegramId: number,
      attemptHash: string | undefined,
      now: number,
    ): Promise<Registration | undefined> {
      const [row, ...others] = await db
        .selectFrom('registrations')
        .selectAll()
        .where('telegram_id', '=', telegramId)
        .where('expires_at', '>', now)
        .$if(attemptHash !== undefined, (query) =>
          query.where('attempt_hash', '=', attemptHash ?? ''),
        )
        .limit(2)
        .execute();
      return row === undefined || others.length > 0
        ? undefined
        : {
            attemptHash: row.attempt_hash,
            telegramId: row.telegram_id,
            email: row.email,
            passwordHash: row.password_hash,
          };
    },

    /** Removes all registrations of this Telegram ID, with their codes. */
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
