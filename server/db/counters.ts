/** Counts: events in windows of time, for limits, and uses of features by day. */
import { type Kysely, sql } from 'kysely';

import { type Tables } from './tables.ts';

export function createRateBucketRepository(db: Kysely<Tables>) {
  return {
    ...createHolds(db),

    /** Counts an event, in a new window when the last is over; returns the count and the end of the window. */
    async hit(
      key: string,
      { now, windowMs, amount }: { now: number; windowMs: number; amount: number },
    ) {
      // A window that begins in the far future comes from a clock that was wrong then.
      const isOver = sql<boolean>`(rate_buckets.window_start <= ${now - windowMs} or rate_buckets.window_start > ${now + windowMs})`;
      const bucket = await db
        .insertInto('rate_buckets')
        .values({ key, window_start: now, hits: amount })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            hits: sql<number>`case when ${isOver} then excluded.hits else rate_buckets.hits + excluded.hits end`,
            window_start: sql<number>`case when ${isOver} then excluded.window_start else rate_buckets.window_start end`,
          }),
        )
        .returning(['window_start', 'hits'])
        .executeTakeFirstOrThrow();
      return { hits: bucket.hits, endsAt: bucket.window_start + windowMs };
    },

    /**
     * Counts an event in several windows in one statement; returns the count and the end of each window, by key. The
     * keys differ.
     */
    async hitAll(
      events: readonly { readonly key: string; readonly windowMs: number }[],
      now: number,
    ): Promise<ReadonlyMap<string, { readonly hits: number; readonly endsAt: number }>> {
      // Always in the same order, so that two calls of PostgreSQL never wait for each other.
      const sorted = events.toSorted((one, other) => (one.key < other.key ? -1 : 1));
      const cases = sorted.map(
        ({ key, windowMs }) => sql`when ${key} then cast(${windowMs} as bigint)`,
      );
      const windowMs = sql<number>`(case rate_buckets.key ${sql.join(cases, sql` `)} end)`;
      const start = sql<number>`rate_buckets.window_start`;
      const isOver = sql<boolean>`(${start} <= ${now} - ${windowMs} or ${start} > ${now} + ${windowMs})`;
      const rows = await db
        .insertInto('rate_buckets')
        .values(sorted.map(({ key }) => ({ key, window_start: now, hits: 1 })))
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            hits: sql<number>`case when ${isOver} then excluded.hits else rate_buckets.hits + excluded.hits end`,
            window_start: sql<number>`case when ${isOver} then excluded.window_start else rate_buckets.window_start end`,
          }),
        )
        .returning(['key', 'window_start', 'hits'])
        .execute();
      const windows = new Map(sorted.map((event) => [event.key, event.windowMs]));
      return new Map(
        rows.map(({ key, window_start: begin, hits }) => [
          key,
          { hits, endsAt: begin + (windows.get(key) ?? 0) },
        ]),
      );
    },

    /** Returns the same without counting; undefined when no window is open. */
    async read(key: string, { now, windowMs }: { now: number; windowMs: number }) {
      const bucket = await db
        .selectFrom('rate_buckets')
        .select(['window_start', 'hits'])
        .where('key', '=', key)
        .where('window_start', '>', now - windowMs)
        .where('window_start', '<=', now + windowMs)
        .executeTakeFirst();
      return bucket && { hits: bucket.hits, endsAt: bucket.window_start + windowMs };
    },

    async decrement(...keys: readonly string[]): Promise<void> {
      await db
        .updateTable('rate_buckets')
        .set(({ eb }) => ({ hits: eb('hits', '-', 1) }))
        .where('key', 'in', keys)
        .where('hits', '>', 0)
        .execute();
    },

    async removeBefore(time: number): Promise<void> {
      await db.deleteFrom('rate_buckets').where('window_start', '<=', time).execute();
    },
  };
}

/** What one process at a time may have: a count of 1, in a window of its own. */
function createHolds(db: Kysely<Tables>) {
  return {
    /** Takes what one at a time may have, until it is given up or the time is over. Returns false while another has it. */
    async hold(key: string, { now, windowMs }: { now: number; windowMs: number }) {
      const row = await db
        .insertInto('rate_buckets')
        .values({ key, window_start: now, hits: 1 })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet({ hits: 1, window_start: now })
            .where((eb) =>
              eb.or([
                eb('rate_buckets.hits', '=', 0),
                eb('rate_buckets.window_start', '<=', now - windowMs),
                // It comes from a clock that was wrong then.
                eb('rate_buckets.window_start', '>', now + windowMs),
              ]),
            ),
        )
        .returning('key')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Gives up what was taken at a time; nothing when another has it since. */
    async letGo(key: string, takenAt: number): Promise<void> {
      await db
        .updateTable('rate_buckets')
        .set({ hits: 0 })
        .where('key', '=', key)
        .where('window_start', '=', takenAt)
        .execute();
    },
  };
}

type Totals = { readonly name: string; readonly total: number; readonly today: number };

export function createUsageRepository(db: Kysely<Tables>) {
  return {
    /** Counts one use. `day` is the start of the day in epoch milliseconds. */
    async add(name: string, day: number): Promise<void> {
      await db
        .insertInto('usage')
        .values({ name, day, uses: 1 })
        .onConflict((conflict) =>
          conflict.columns(['name', 'day']).doUpdateSet({ uses: sql<number>`usage.uses + 1` }),
        )
        .execute();
    },

    /** The sum of all days and the count of the given day, by feature. */
    async totals(day: number): Promise<Totals[]> {
      return db
        .selectFrom('usage')
        .select(({ fn }) => [
          'name',
          fn.sum<number>('uses').as('total'),
          sql<number>`sum(case when day = ${day} then uses else 0 end)`.as('today'),
        ])
        .groupBy('name')
        .orderBy('total', 'desc')
        .orderBy('name')
        .execute();
    },
  };
}
