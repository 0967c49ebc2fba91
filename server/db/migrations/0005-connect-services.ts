/** Linked accounts of other services, and links that have begun. */
import { type Kysely, type Migration, sql } from 'kysely';

const statements = [
  `create table connections (
    telegram_id bigint not null references people (telegram_id) on delete cascade,
    service text not null,
    access_token text not null,
    refresh_token text,
    expires_at bigint,
    account_name text,
    linked_at bigint not null,
    primary key (telegram_id, service)
  )`,
  `create table connection_attempts (
    state_hash text primary key,
    telegram_id bigint not null references people (telegram_id) on delete cascade,
    service text not null,
    verifier text not null,
    redirect_uri text not null,
    status text not null,
    expires_at bigint not null
  )`,
] as const;

export const connectServices: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of statements) {
      // In order: a later table refers to an earlier one.
      await sql.raw(statement).execute(db);
    }
  },
};
