/** Stores sessions, and the launches that they were started by. Only hashes of tokens and launch data are stored. */
import { type Kysely, sql } from 'kysely';

import { type Database } from './client.ts';
import { type Tables } from './tables.ts';

/** Times are epoch milliseconds. */
export type Session = {
  readonly id: string;
  readonly telegramId: number;
  readonly device: string;
  /** The first part of the address that the session was last used from; '' when unknown. */
  readonly addressPrefix: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
};

type NewSession = Session & { readonly tokenHash: string; readonly expiresAt: number };

/** What the user has logged in by, where it may be worth nothing any more when the session starts. */
export type LoginProof = {
  readonly passwordHash?: string | undefined;
  /** When Telegram signed the launch data. */
  readonly launchedAt?: number | undefined;
};

const toTime = (value: number) => sql<number>`cast(${value} as bigint)`;

/**
 * Returns about how many sessions the user has: whether the new one is among them depends on the database. Undefined
 * when there is no such account, its password is not the one of the proof any more, or the launch is void. What makes it
 * so waits until the session is stored, so that it can end it.
 */
export async function addSession(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  session: NewSession,
  { passwordHash, launchedAt }: LoginProof = {},
): Promise<number | undefined> {
  const added = await db
    .insertInto('sessions')
    .columns([
      'id',
      'token_hash',
      'telegram_id',
      'device',
      'address_prefix',
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
          eb.val(session.addressPrefix).as('address_prefix'),
          toTime(session.createdAt).as('created_at'),
          toTime(session.lastSeenAt).as('last_seen_at'),
          toTime(session.expiresAt).as('expires_at'),
        ])
        .where('telegram_id', '=', session.telegramId)
        .$if(passwordHash !== undefined, (query) =>
          query.where('password_hash', '=', passwordHash ?? ''),
        )
        .$if(launchedAt !== undefined, (query) =>
          query.where('launches_void_until', '<', launchedAt ?? 0),
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

    async touch(
      id: string,
      use: Pick<NewSession, 'lastSeenAt' | 'expiresAt' | 'addressPrefix'>,
    ): Promise<void> {
      await db
        .updateTable('sessions')
        .set({
          last_seen_at: use.lastSeenAt,
          expires_at: use.expiresAt,
          address_prefix: use.addressPrefix,
        })
        .where('id', '=', id)
        .execute();
    },

    /** Removes a session of the user. Returns its device; undefined when the user has no such session. */
    async remove({ telegramId, id }: Pick<Session, 'telegramId' | 'id'>, now: number) {
      const removed = await db
        .deleteFrom('sessions')
        .where('id', '=', id)
        .where('telegram_id', '=', telegramId)
        .returning(['device', 'expires_at'])
        .executeTakeFirst();
      return removed && removed.expires_at > now ? removed.device : undefined;
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
    addressPrefix: row.address_prefix,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
  };
}

export function createLaunchRepository(db: Kysely<Tables>) {
  return {
    /** Until when launches of the user are void; 0 without an account. */
    async findVoidUntil(telegramId: number): Promise<number> {
      const row = await db
        .selectFrom('people')
        .select('launches_void_until')
        .where('telegram_id', '=', telegramId)
        .executeTakeFirst();
      return row?.launches_void_until ?? 0;
    },

    /** Launches of the user that were signed up to then are void. */
    async voidUntil(telegramId: number, time: number): Promise<void> {
      await db
        .updateTable('people')
        .set({ launches_void_until: time })
        .where('telegram_id', '=', telegramId)
        .execute();
    },

    /** Returns false when the launch was used before. Of two calls at the same time, one returns true. */
    async use(hash: string, expiresAt: number): Promise<boolean> {
      const added = await db
        .insertInto('used_launches')
        .values({ hash, expires_at: expiresAt })
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .returning('hash')
        .executeTakeFirst();
      return added !== undefined;
    },

    /** Removes those that are too old to be used again. */
    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('used_launches').where('expires_at', '<', now).execute();
    },
  };
}
