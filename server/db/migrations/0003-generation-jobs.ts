/** Jobs of generations. */
import { type Kysely, type Migration, sql } from 'kysely';

const statements = [
  `create table generation_jobs (
    job_key text primary key,
    owner_id bigint references people (telegram_id) on delete cascade,
    provider text not null,
    engine text not null,
    recipe text not null,
    seed text not null,
    state text not null,
    task_id text,
    picture_id text,
    error_code text,
    detail text,
    runner text not null,
    held_until bigint not null,
    created_at bigint not null,
    finished_at bigint
  )`,
  'create index generation_jobs_by_age on generation_jobs (created_at)',
  'create index generation_jobs_by_state on generation_jobs (state, held_until)',
] as const;

export const createGenerationJobs: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of statements) {
      // In order: the indexes need their table.
      await sql.raw(statement).execute(db);
    }
  },
};
