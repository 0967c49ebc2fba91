/**
 * Leases and locks, by which processes wait for each other. Leases are timed by the clock of the database, which all
 * processes share: those of machines may differ by seconds.
 */
import { type Kysely, sql } from 'kysely';

import { type Database } from './client.ts';
import { type Tables } from './tables.ts';

/** On PostgreSQL: until the transaction ends, no other one gets the lock of this name. SQLite has one at a time. */
export async function lockInTransaction(
  tx: Kysely<Tables>,
  engine: Database['engine'],
  name: string,
): Promise<void> {
  if (engine === 'postgres') {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
  }
}

export function createLeaseClock(engine: Database['engine']) {
  const now =
    engine === 'postgres'
      ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
      : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
  return {
    /** In epoch milliseconds. */
    now,
    after: (ms: number) => sql<number>`${now} + ${sql.lit(ms)}`,
  };
}
