/** Stores people: those who proved that a Telegram id is theirs. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

export type Account = {
  readonly telegramId: number;
  readonly email: string;
  readonly passwordHash: string;
  readonly profile: Profile;
};

/** What Telegram tells about a person; the rest is absent. */
export type Profile = {
  readonly firstName?: string | undefined;
  readonly username?: string | undefined;
  readonly photoUrl?: string | undefined;
};

type NewPerson = {
  readonly telegramId: number;
  readonly email: string;
  readonly passwordHash: string;
  readonly createdAt: number;
};

/** `db` is the database, or the transaction that the caller is in. */
export function createPersonRepository(db: Kysely<Tables>) {
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
        }
      );
    },

    /** Whether the person is new; an account that is there already stays as it is. */
    async add({ telegramId, email, passwordHash, createdAt }: NewPerson): Promise<boolean> {
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

    async setPasswordHash(telegramId: number, passwordHash: string): Promise<void> {
      await db
        .updateTable('people')
        .set({ password_hash: passwordHash })
        .where('telegram_id', '=', telegramId)
        .execute();
    },

    /** Replaces the hash, if it still is the one named. */
    async replacePasswordHash(
      telegramId: number,
      { old, next }: { readonly old: string; readonly next: string },
    ): Promise<void> {
      await db
        .updateTable('people')
        .set({ password_hash: next })
        .where('telegram_id', '=', telegramId)
        .where('password_hash', '=', old)
        .execute();
    },

    async setProfile(telegramId: number, profile: Profile): Promise<void> {
      await db
        .updateTable('people')
        .set({
          first_name: profile.firstName ?? null,
          username: profile.username ?? null,
          photo_url: profile.photoUrl ?? null,
        })
        .where('telegram_id', '=', telegramId)
        .execute();
    },

    /** Removes the person; sessions and managed chats go with them. */
    async remove(telegramId: number): Promise<void> {
      await db.deleteFrom('people').where('telegram_id', '=', telegramId).execute();
    },
  };
}
