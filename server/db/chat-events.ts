/**
 * Events for the processes that share a PostgreSQL. Each event is a row, written in the transaction of its change. A reader
 * says which transactions it has seen, and gets the events of all others: also of those that began earlier and were
 * committed later. See docs/decisions/045.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { randomUUID } from 'node:crypto';

import { eventRules } from '#server/lib/limits';

import { type Database } from './client.ts';
import { type Tables } from './tables.ts';

export type NewEvent = {
  readonly chatId: number;
  /** JSON. */
  readonly text: string;
};

type StoredEvent = NewEvent & {
  /** The process that wrote it. */
  readonly origin: string;
};

/** Up to where events were read. */
export type EventPosition = {
  /** The transactions that were over by then, as PostgreSQL writes them. */
  readonly snapshot: string;
  /** All before this one were over. */
  readonly firstOpen: number;
  /** No later one had begun. */
  readonly firstUnborn: number;
  /**
   * When PostgreSQL has last thrown its statistics away, as it does when it recovers from a crash. The numbers of
   * transactions that had changed nothing are then given again: they would be taken for those of before.
   */
  readonly recoveredAt: string | null;
  /** By the clock of the database. */
  readonly at: number;
};

/** `chat_id`, `origin` and `event` are null in the one row that there is without events. */
type Row = EventPosition & {
  readonly chat_id: number | null;
  readonly origin: string | null;
  readonly event: string | null;
};

const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
const microseconds = sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`;

const positionColumns = (snapshot: RawBuilder<unknown>) => sql`
  ${snapshot}::text as snapshot,
  pg_snapshot_xmin(${snapshot})::text::bigint as "firstOpen",
  pg_snapshot_xmax(${snapshot})::text::bigint as "firstUnborn",
  pg_stat_get_bgwriter_stat_reset_time()::text as "recoveredAt",
  ${now} as at`;

/** For PostgreSQL only. */
export function createChatEventRepository(db: Kysely<Tables>) {
  return {
    /** In a transaction the events are there if and when it is committed. */
    async add(origin: string, events: readonly NewEvent[]): Promise<void> {
      // Numbered by the time: who has locked a chat writes later than who had locked it before.
      const rows = events.map(
        ({ chatId, text }, index) => sql`(
          lpad(${microseconds}::text, 17, '0') || ${`-${String(index).padStart(4, '0')}-${randomUUID()}`}::text,
          pg_current_xact_id()::text::bigint, ${origin}, ${chatId}, ${text}, ${now})`,
      );
      await sql`insert into chat_events (id, xact, origin, chat_id, event, at)
        values ${sql.join(rows)}`.execute(db);
    },

    /** Without events: those that are committed from now on follow. */
    async readPosition(): Promise<EventPosition> {
      const { rows } = await sql<EventPosition>`
        select ${positionColumns(sql`pg_current_snapshot()`)}`.execute(db);
      return toPosition(rows[0]);
    },

    /** The events that were committed since, in the order in which those of one chat were. */
    async readAfter(position: EventPosition): Promise<{
      readonly position: EventPosition;
      readonly events: readonly StoredEvent[];
      /** Events may be missing: they are removed by now, or PostgreSQL has crashed, or is another one. */
      readonly isIncomplete: boolean;
    }> {
      const { rows } = await selectAfter(position).execute(db);
      const reached = toPosition(rows[0]);
      return {
        position: reached,
        events: rows.flatMap(({ chat_id: chatId, origin, event: text }) =>
          chatId === null || origin === null || text === null ? [] : [{ chatId, origin, text }],
        ),
        isIncomplete:
          reached.at - position.at > eventRules.keptMs - eventRules.marginMs ||
          reached.firstUnborn < position.firstUnborn ||
          reached.recoveredAt !== position.recoveredAt,
      };
    },
  };
}

/** A restored row may have a number that this database has not given yet: it is not of any transaction here. */
export function selectAfter({ firstOpen, snapshot }: EventPosition) {
  return sql<Row>`
    with seen as (select pg_current_snapshot() as current)
    select ${positionColumns(sql`seen.current`)}, stored.chat_id, stored.origin, stored.event
    from seen left join chat_events as stored
      on stored.xact >= ${firstOpen}
      and stored.xact < pg_snapshot_xmax(seen.current)::text::bigint
      and not pg_visible_in_snapshot(stored.xact::text::xid8, ${snapshot}::pg_snapshot)
    order by stored.id collate "C"`;
}

function toPosition(row: EventPosition | undefined): EventPosition {
  if (row === undefined) {
    throw new Error('The database did not say which transactions are over');
  }
  const { snapshot, firstOpen, firstUnborn, recoveredAt, at } = row;
  return { snapshot, firstOpen, firstUnborn, recoveredAt, at };
}

/** With the time at which the statement began: an index is not searched for one that differs from row to row. */
export const removeBeforeLastHour = sql`
  delete from chat_events
  where at < (extract(epoch from now()) * 1000)::bigint - ${sql.lit(eventRules.keptMs)}`;

/** On SQLite there are none: nothing but this process would read them. */
export async function removeOldEvents({ db, engine }: Pick<Database, 'db' | 'engine'>) {
  if (engine === 'postgres') {
    await removeBeforeLastHour.execute(db);
  }
}
