/** Stores sessions. Only the hash of a token is stored. */
import { type Kysely, sql } from 'kysely';

import { type Database } from './client.ts';
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

const toTime = (value: number) => sql<number>`cast(${value} as bigint)`;

/**
 * Returns about how many sessions the user has: whether the new one is among them depends on the database. Undefined
 * when there is no such account, or its password is not `passwordHash` any more. A change of the password waits until
 * the session is stored, so that it can end it.
 */
export async function addSession(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  session: NewSession,
  passwordHash?: string,
): Promise<number | undefined> {
  const added = await db
    .insertInto('sessions')
    .columns([
      'id',
      'token_hash',
      'telegram_id',
      'device',
      'created_at',
      'last_seen_at',
      'expires_at',
    ])
    .expression((eb) =>
      eb
        .selectFrom('people')
        .select([
          eb.val(session.id).as('id'),
          eb.val(session.tokenHash).as('token_hash'),
          'telegram_id',
          eb.val(session.device).as('device'),
          toTime(session.createdAt).as('created_at'),
          toTime(session.lastSeenAt).as('last_seen_at'),
          toTime(session.expiresAt).as('expires_at'),
        ])
        .where('telegram_id', '=', session.telegramId)
        .$if(passwordHash !== undefined, (query) =>
          query.where('password_hash', '=', passwordHash ?? ''),
        )
        .$if(engine === 'postgres', (query) => query.forShare()),
    )
    .returning((eb) =>
      eb
        .selectFrom('sessions as known')
        .select(eb.fn.countAll<number>().as('count'))
        .where('known.telegram_id', '=', session.telegramId)
        .as('count'),
    )
    .executeTakeFirst();
  return added && (added.count ?? 0);
}

export function createSessionRepository(db: Kysely<Tables>) {
  return {
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
