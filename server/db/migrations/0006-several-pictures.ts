/** Several pictures per generation, with provider and style. */
import { type Kysely, type Migration, sql } from 'kysely';

const statements = [
  // A JSON list from now on. IDs have no characters that JSON would have to escape.
  'alter table generation_jobs rename column picture_id to picture_ids',
  `update generation_jobs set picture_ids = '["' || picture_ids || '"]' where picture_ids is not null`,
  `alter table generations add column provider text not null default 'pixai'`,
  `alter table generations add column style text not null default ''`,
  // The first picture stays with its generation.
  `create table further_pictures (
    generation_id text not null references generations (id) on delete cascade,
    position bigint not null,
    picture_id text not null references pictures (id) on delete cascade,
    primary key (generation_id, position)
  )`,
  'create index further_pictures_by_picture on further_pictures (picture_id)',
] as const;

export const severalPictures: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of statements) {
      // In order: a later statement needs an earlier one.
      await sql.raw(statement).execute(db);
    }
  },
};
