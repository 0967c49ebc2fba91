/** Saved pictures with their recipes, and names of models. */
import { type Kysely, type Migration, sql } from 'kysely';

const statements = [
  `create table pictures (
    id text primary key,
    telegram_id bigint not null references people (telegram_id) on delete cascade,
    type text not null,
    bytes bigint not null,
    width bigint not null,
    height bigint not null,
    created_at bigint not null
  )`,
  'create index pictures_of_person on pictures (telegram_id)',
  `create table generations (
    id text primary key,
    telegram_id bigint not null references people (telegram_id) on delete cascade,
    picture_id text not null references pictures (id) on delete cascade,
    prompt text not null,
    negative_prompt text not null,
    model_id text not null,
    model_name text not null,
    seed text not null,
    ratio text not null,
    nsfw bigint not null check (nsfw in (0, 1)),
    tags text not null,
    loras text not null,
    job_key text,
    created_at bigint not null,
    unique (telegram_id, job_key)
  )`,
  `create table model_names (
    model_id text primary key,
    name text not null,
    learned_at bigint not null
  )`,
  'create index generations_of_person on generations (telegram_id, created_at)',
] as const;

export const keepPictures: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of statements) {
      // In order: a later table refers to an earlier one.
      await sql.raw(statement).execute(db);
    }
  },
};
