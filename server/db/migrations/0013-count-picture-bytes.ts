/** How many bytes the pictures of a job take, so that the disk has a budget. */
import { type Kysely, type Migration, sql } from 'kysely';

const statements = [
  'alter table generation_jobs add column picture_bytes bigint',
  // Sums are read from these alone.
  'create index picture_bytes_of_person on pictures (telegram_id, bytes)',
  'create index picture_bytes_of_jobs on generation_jobs (picture_bytes)',
] as const;

export const countPictureBytes: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
