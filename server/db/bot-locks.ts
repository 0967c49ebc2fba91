/**
 * Which process acts for the bot, by advisory locks of PostgreSQL on a connection of their own. PostgreSQL ends the session
 * of a process that stands still, and with it its locks; before that the process itself knows that it was too slow.
 */
import { sql } from 'kysely';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import * as v from 'valibot';

import { type Hold } from '#server/lib/holding';

import { type Database } from './client.ts';

/** PostgreSQL ends a session that has said nothing for so long. */
const sessionEndsAfterMs = 3000;
/** Counted from before the last statement, so that this process stops before another can begin. */
const heldForMs = 2500;
const pingEveryMs = 1000;
const answerWithinMs = 2000;

/** `member`: how many processes share the partitions of the message log. A number is a partition. */
type BotLock = 'leader' | 'member' | number;

const toObjectId = (lock: BotLock) => (lock === 'leader' ? 0 : lock === 'member' ? 1 : lock + 2);

/** The first half of the keys of a bot's locks. */
const toClassId = (botId: number) =>
  createHash('sha256').update(`nori bot ${botId}`).digest().readInt32BE();

export type LockSession = Hold & {
  /** Resolves when all locks of the session are lost or given up. */
  readonly ended: Promise<void>;
  /** Returns false when another session has the lock. */
  readonly tryLock: (lock: BotLock) => Promise<boolean>;
  /** Takes a lock that any number of sessions may have. */
  readonly share: (lock: BotLock) => Promise<void>;
  readonly unlock: (lock: BotLock) => Promise<void>;
  /** The locks of the bot that any session has; those that are shared once for each session. */
  readonly listLocks: () => Promise<readonly BotLock[]>;
  /** Gives up all locks. */
  readonly close: () => Promise<void>;
};

/** `url` leads to PostgreSQL itself, not to a pooler. Rejects when it does not answer. */
export async function openLockSession(url: string, botId: number): Promise<LockSession> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
    application_name: `nori bot ${process.pid}`,
    keepAlive: true,
    keepAliveInitialDelayMillis: pingEveryMs,
  });
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const closing = new AbortController();
  /** By both clocks, because that of the machine's uptime may stand still with the machine. */
  let provenAt = { uptime: performance.now(), time: Date.now() };

  function end(): void {
    closing.abort();
    resolve();
  }
  client.on('error', end);
  client.on('end', end);

  function isHeld(): boolean {
    const age = Math.max(performance.now() - provenAt.uptime, Date.now() - provenAt.time);
    if (age > heldForMs) {
      end();
    }
    return !closing.signal.aborted;
  }

  let last: Promise<unknown> = Promise.resolve();

  /** One statement after the other, as a connection has one at a time. */
  function run(text: string, values: readonly unknown[] = []) {
    const running = last.then(() => runNow(text, values));
    last = running.catch(() => undefined);
    return running;
  }

  async function runNow(text: string, values: readonly unknown[]) {
    const sentAt = { uptime: performance.now(), time: Date.now() };
    try {
      const { rows } = await client.query<Record<string, unknown>>(text, [...values]);
      if (isHeld()) {
        provenAt = sentAt;
      }
      return rows;
    } catch (error) {
      end();
      throw error;
    }
  }

  async function ping(): Promise<void> {
    while (isHeld()) {
      await sleep(pingEveryMs, undefined, { signal: closing.signal, ref: false });
      await run('select 1');
    }
  }

  async function close(): Promise<void> {
    end();
    await client.end().catch(() => undefined);
  }

  try {
    await client.connect();
    provenAt = { uptime: performance.now(), time: Date.now() };
    await client.query(
      `set idle_session_timeout = ${sessionEndsAfterMs}; set tcp_keepalives_idle = 1; ` +
        'set tcp_keepalives_interval = 1; set tcp_keepalives_count = 2',
    );
  } catch (error) {
    await close();
    throw error;
  }
  // When the process stands still, this finds the session ended.
  void ping().catch(() => undefined);
  const classId = toClassId(botId);
  const call = (name: string, lock: BotLock) =>
    run(`select ${name}($1::int, $2::int) as done`, [classId, toObjectId(lock)]);
  return {
    isHeld,
    ended,
    tryLock: async (lock) => (await call('pg_try_advisory_lock', lock))[0]?.['done'] === true,
    share: async (lock) => void (await call('pg_advisory_lock_shared', lock)),
    unlock: async (lock) => {
      await call('pg_advisory_unlock', lock);
    },
    listLocks: async () => (await run(grantedLocks, [classId])).map((row) => toLock(row['objid'])),
    close,
  };
}

const grantedLocks = `select objid::bigint as objid from pg_locks
  where locktype = 'advisory' and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())
    and classid::bigint = $1::bigint & 4294967295`;

function toLock(objectId: unknown): BotLock {
  const id = Number(objectId);
  return id === 0 ? 'leader' : id === 1 ? 'member' : id - 2;
}

/** Whether any process handles updates of the bot. */
export async function isBotHandled({ db }: Pick<Database, 'db'>, botId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_locks
    where locktype = 'advisory' and objsubid = 2 and granted and objid <> 1
      and database = (select oid from pg_database where datname = current_database())
      and classid::bigint = ${toClassId(botId)}::bigint & 4294967295
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Numbers of messages in the log; those of one partition have gaps between them. */
export type Position = {
  readonly partition: number;
  /** Counts the processes that have taken the partition. What an earlier one writes is refused. */
  readonly epoch: number;
  /** All up to this are handled. */
  readonly handledTo: number;
  /** Handled, too, while an earlier one is not yet. */
  readonly handledAhead: readonly number[];
};

const stored = v.object({
  partition: v.number(),
  epoch: v.number(),
  handled_to: v.number(),
  handled_ahead: v.string(),
});

export function createBotPositionRepository({ db }: Pick<Database, 'db'>, botId: number) {
  return {
    /** Takes a partition of a log, which is named because another log counts anew. */
    async take(partition: number, log: string): Promise<Position> {
      const { rows } = await sql`
        insert into bot_positions as p (bot_id, partition, epoch, log, handled_to, handled_ahead)
        values (${botId}, ${partition}, 1, ${log}, 0, '[]')
        on conflict (bot_id, partition) do update set
          epoch = p.epoch + 1,
          handled_to = case when p.log = excluded.log then p.handled_to else 0 end,
          handled_ahead = case when p.log = excluded.log then p.handled_ahead else '[]' end,
          log = excluded.log
        returning partition, epoch, handled_to, handled_ahead`.execute(db);
      const [row] = v.parse(v.tuple([stored]), rows);
      return {
        partition,
        epoch: row.epoch,
        handledTo: row.handled_to,
        handledAhead: v.parse(v.array(v.number()), JSON.parse(row.handled_ahead)),
      };
    },

    /** Saves positions in one statement. Returns the partitions that this process still has. */
    async save(positions: readonly Position[]): Promise<ReadonlySet<number>> {
      const given = JSON.stringify(
        positions.map(({ partition, epoch, handledTo, handledAhead }) => ({
          partition,
          epoch,
          handled_to: handledTo,
          handled_ahead: JSON.stringify(handledAhead),
        })),
      );
      const { rows } = await sql`
        update bot_positions as p set handled_to = g.handled_to, handled_ahead = g.handled_ahead
        from jsonb_to_recordset(${given}::jsonb)
          as g (partition bigint, epoch bigint, handled_to bigint, handled_ahead text)
        where p.bot_id = ${botId} and p.partition = g.partition and p.epoch = g.epoch
        returning p.partition`.execute(db);
      const saved = v.parse(v.array(v.object({ partition: v.number() })), rows);
      return new Set(saved.map(({ partition }) => partition));
    },
  };
}
