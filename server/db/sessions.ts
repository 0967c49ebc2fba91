/** Stores sessions. Only the hash of a token is stored. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

/** Times are epoch milliseconds. */
export type Session = {
  readonly id: string;
  readonly telegramId: number;
  readonly device: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
};

type NewSession = Session & { readonly tokenHash: string; readonly expiresAt: number };

export function createSessionRepository(db: Kysely<Tables>) {
  return {
    async add(session: NewSession): Promise<void> {
      await db
        .insertInto('sessions')
        .values({
          id: session.id,
          token_hash: session.tokenHash,
          telegram_id: session.telegramId,
          device: session.device,
          created_at: session.createdAt,
          last_seen_at: session.lastSeenAt,
          expires_at: session.expiresAt,
        })
        .execute();
    },

    /** Ends all but the newest sessions of a user. */
    async keepNewest(telegramId: number, count: number): Promise<void> {
      await db
        .deleteFrom('sessions')
        .where('telegram_id', '=', telegramId)
        .where('id', 'not in', (query) =>
          query
            .selectFrom('sessions')
            .select('id')
            .where('telegram_id', '=', telegramId)
            .orderBy('created_at', 'desc')
            .orderBy('id')
            .limit(count),
        )
        .execute();
    },

    async findByToken(tokenHash: string, now: number): Promise<Session | undefined> {
      const row = await db
        .selectFrom('sessions')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row && toSession(row);
    },

    async isAlive(id: string, now: number): Promise<boolean> {
      const row = await db
        .selectFrom('sessions')
        .select('id')
        .where('id', '=', id)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The sessions of a user, the most recently used first. */
    async list(telegramId: number, now: number): Promise<Session[]> {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('telegram_id', '=', telegramId)
        .where('expires_at', '>', now)
        .orderBy('last_seen_at', 'desc')
        .orderBy('created_at', 'desc')
        .execute();
      return rows.map(toSession);
    },

    async touch(id: string, times: { lastSeenAt: number; expiresAt: number }): Promise<void> {
      await db
        .updateTable('sessions')
        .set({ last_seen_at: times.lastSeenAt, expires_at: times.expiresAt })
        .where('id', '=', id)
        .execute();
    },

    async remove(id: string): Promise<void> {
      await db.deleteFrom('sessions').where('id', '=', id).execute();
    },

    /** Removes the other sessions of the user and returns how many of them were alive. */
    async removeOthers({ telegramId, id }: Pick<Session, 'telegramId' | 'id'>, now: number) {
      const removed = await db
        .deleteFrom('sessions')
        .where('telegram_id', '=', telegramId)
        .where('id', '!=', id)
        .returning('expires_at')
        .execute();
      return removed.filter(({ expires_at }) => expires_at > now).length;
    },

    async removeAll(telegramId: number): Promise<void> {
      await db.deleteFrom('sessions').where('telegram_id', '=', telegramId).execute();
    },

    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
    },
  };
}

function toSession(row: Tables['sessions']): Session {
  return {
    id: row.id,
    telegramId: row.telegram_id,
    device: row.device,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
  };
}
