/** Removing a row looks for the rows that refer to it: without an index, in the whole table. */
import { type Kysely, type Migration, sql } from 'kysely';

const statements = [
  'create index generations_by_picture on generations (picture_id)',
  'create index generation_jobs_by_owner on generation_jobs (owner_id)',
  'create index connection_attempts_by_user on connection_attempts (telegram_id)',
] as const;

export const indexReferences: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
