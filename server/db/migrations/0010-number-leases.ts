/** Which lease of a job a process works by, so that a late process can be told from the current one. */
import { type Kysely, type Migration, sql } from 'kysely';

export const numberLeases: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table generation_jobs add column epoch bigint not null default 0`.execute(db);
  },
};
