/** The first tables. The only types are bigint and text, so that the SQL is the same for both databases. */
import { type Kysely, type Migration, sql } from 'kysely';

const statements = [
  `create table people (
    telegram_id bigint primary key,
    email text not null,
    password_hash text not null,
    first_name text,
    username text,
    photo_url text,
    created_at bigint not null
  )`,
  `create table registrations (
    attempt_hash text primary key,
    telegram_id bigint not null,
    email text not null,
    password_hash text not null,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  'create index registrations_of_id on registrations (telegram_id, expires_at)',
  `create table sessions (
    id text primary key,
    token_hash text not null unique,
    telegram_id bigint not null references people (telegram_id) on delete cascade,
    device text not null,
    created_at bigint not null,
    last_seen_at bigint not null,
    expires_at bigint not null
  )`,
  'create index sessions_of_person on sessions (telegram_id, created_at)',
  `create table otps (
    id text primary key,
    purpose text not null,
    subject text not null,
    code_hash text not null,
    created_at bigint not null,
    expires_at bigint not null,
    tries bigint not null,
    unique (purpose, subject)
  )`,
  `create table chats (
    chat_id bigint primary key,
    chat_name text not null,
    is_demo bigint not null check (is_demo in (0, 1)),
    created_at bigint not null
  )`,
  `create table chat_managers (
    chat_id bigint not null references chats (chat_id) on delete cascade,
    telegram_id bigint not null references people (telegram_id) on delete cascade,
    owner_id bigint not null,
    role text not null,
    verified_at bigint not null,
    checked_at bigint not null,
    primary key (chat_id, telegram_id)
  )`,
  'create index chats_of_manager on chat_managers (telegram_id)',
  `create table topics (
    chat_id bigint not null references chats (chat_id) on delete cascade,
    topic_id bigint not null,
    created_at bigint not null,
    primary key (chat_id, topic_id)
  )`,
  `create table topic_settings (
    chat_id bigint not null,
    topic_id bigint not null,
    name text not null,
    is_blocked bigint not null check (is_blocked in (0, 1)),
    updated_at bigint not null,
    updated_by bigint not null,
    primary key (chat_id, topic_id, name),
    foreign key (chat_id, topic_id) references topics (chat_id, topic_id) on delete cascade
  )`,
  `create table chat_upgrades (
    old_chat_id bigint primary key,
    chat_id bigint not null
  )`,
  `create table rate_buckets (
    key text primary key,
    window_start bigint not null,
    hits bigint not null
  )`,
  'create index rate_buckets_by_age on rate_buckets (window_start)',
] as const;

export const createTables: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of statements) {
      // In order: a later table refers to an earlier one.
      await sql.raw(statement).execute(db);
    }
  },
};
