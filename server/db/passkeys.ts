/** Stores passkeys, and the challenges that authenticators sign. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

/** Times are epoch milliseconds. `id` and `publicKey` are in base64url. */
export type Passkey = {
  readonly id: string;
  readonly telegramId: number;
  readonly publicKey: string;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
};

type NewPasskey = Omit<Passkey, 'lastUsedAt'> & { readonly counter: number };

/** `db` is the database, or the transaction of the caller. */
export function createPasskeyRepository(db: Kysely<Tables>) {
  return {
    /** The oldest first. */
    async list(telegramId: number): Promise<Passkey[]> {
      const rows = await db
        .selectFrom('passkeys')
        .selectAll()
        .where('telegram_id', '=', telegramId)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(toPasskey);
    },

    async find(id: string): Promise<Passkey | undefined> {
      const row = await db
        .selectFrom('passkeys')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return row && toPasskey(row);
    },

    /** Adds a passkey. `max` is how many a user may have. */
    async add(
      passkey: NewPasskey,
      max: number,
    ): Promise<'added' | 'too many' | 'known' | 'no account'> {
      return db.transaction().execute(async (tx) => {
        // Locks the account: passkeys that are added at the same time are counted one after the other.
        const account = await tx
          .updateTable('people')
          .set((eb) => ({ email: eb.ref('email') }))
          .where('telegram_id', '=', passkey.telegramId)
          .returning('telegram_id')
          .executeTakeFirst();
        if (!account) {
          return 'no account';
        }
        const stored = await tx
          .selectFrom('passkeys')
          .select('id')
          .where('telegram_id', '=', passkey.telegramId)
          .execute();
        if (stored.length >= max) {
          return 'too many';
        }
        const added = await tx
          .insertInto('passkeys')
          .values({
            id: passkey.id,
            telegram_id: passkey.telegramId,
            public_key: passkey.publicKey,
            counter: passkey.counter,
            transports: passkey.transports.join(' '),
            name: passkey.name,
            created_at: passkey.createdAt,
            last_used_at: null,
          })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst();
        return added ? 'added' : 'known';
      });
    },

    /**
     * Notes that the passkey was used. Returns false when it is gone, or when its counter did not grow: then another
     * authenticator has the same key. Authenticators that do not count always say 0.
     */
    async use(id: string, { counter, at }: { counter: number; at: number }): Promise<boolean> {
      const used = await db
        .updateTable('passkeys')
        .set({ counter, last_used_at: at })
        .where('id', '=', id)
        .where((eb) => (counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter)))
        .returning('id')
        .executeTakeFirst();
      return used !== undefined;
    },

    /** Returns whether it was there. */
    async remove({ id, telegramId }: Pick<Passkey, 'id' | 'telegramId'>): Promise<boolean> {
      const removed = await db
        .deleteFrom('passkeys')
        .where('id', '=', id)
        .where('telegram_id', '=', telegramId)
        .returning('id')
        .executeTakeFirst();
      return removed !== undefined;
    },

    /** Removes the passkeys of a user, and what would add one. */
    async removeAll(telegramId: number): Promise<void> {
      await db.deleteFrom('passkey_challenges').where('telegram_id', '=', telegramId).execute();
      await db.deleteFrom('passkeys').where('telegram_id', '=', telegramId).execute();
    },
  };
}

function toPasskey(row: Tables['passkeys']): Passkey {
  return {
    id: row.id,
    telegramId: row.telegram_id,
    publicKey: row.public_key,
    transports: row.transports.split(' ').filter(Boolean),
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? undefined,
  };
}

type Challenge = {
  readonly hash: string;
  readonly purpose: Tables['passkey_challenges']['purpose'];
  /** Undefined for a login. */
  readonly telegramId: number | undefined;
};

export function createPasskeyChallengeRepository(db: Kysely<Tables>) {
  return {
    async add({ hash, purpose, telegramId }: Challenge, expiresAt: number): Promise<void> {
      await db
        .insertInto('passkey_challenges')
        .values({
          challenge_hash: hash,
          purpose,
          telegram_id: telegramId ?? null,
          expires_at: expiresAt,
        })
        .execute();
    },

    /** Removes the challenge. Of two calls at the same time, one returns true. */
    async use({ hash, purpose, telegramId }: Challenge, now: number): Promise<boolean> {
      const used = await db
        .deleteFrom('passkey_challenges')
        .where('challenge_hash', '=', hash)
        .where('purpose', '=', purpose)
        .where('telegram_id', telegramId === undefined ? 'is' : '=', telegramId ?? null)
        .where('expires_at', '>', now)
        .returning('challenge_hash')
        .executeTakeFirst();
      return used !== undefined;
    },

    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute();
    },
  };
}
