/** Times leases by the clock of the database, which all processes share: those of machines may differ by seconds. */
import { sql } from 'kysely';

import { type Database } from './client.ts';

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
