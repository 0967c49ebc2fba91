/** Values of chats, people and messages that the bot has seen, and what was done to members. */
import { type Kysely, type Migration, sql } from 'kysely';

const statements = [
  `create table chat_values (
    chat_id bigint not null references chats (chat_id) on delete cascade,
    topic_id bigint not null,
    name text not null,
    value text not null,
    updated_at bigint not null,
    primary key (chat_id, topic_id, name)
  )`,
  `create table setting_value_items (
    change_id text not null references setting_changes (id) on delete cascade,
    topic_id bigint not null,
    name text not null,
    was text,
    becomes text,
    primary key (change_id, topic_id, name)
  )`,
  `create table people_seen (
    telegram_id bigint primary key,
    username text unique,
    first_name text not null,
    seen_at bigint not null
  )`,
  'create index people_seen_by_time on people_seen (seen_at)',
  `create table seen_messages (
    chat_id bigint not null,
    message_id bigint not null,
    topic_id bigint not null,
    sender_id bigint not null,
    sent_at bigint not null,
    primary key (chat_id, message_id)
  )`,
  'create index seen_messages_by_time on seen_messages (sent_at)',
  `create table warnings (
    id text primary key,
    chat_id bigint not null,
    telegram_id bigint not null,
    by_id bigint not null,
    reason text not null,
    given_at bigint not null,
    expires_at bigint,
    ended_at bigint,
    update_id bigint,
    unique (chat_id, telegram_id, update_id)
  )`,
  'create index warnings_of_member on warnings (chat_id, telegram_id)',
  'create index warnings_by_end on warnings (ended_at)',
  'create index warnings_by_expiry on warnings (expires_at)',
  `create table approvals (
    chat_id bigint not null,
    telegram_id bigint not null,
    by_id bigint not null,
    until bigint,
    at bigint not null,
    primary key (chat_id, telegram_id)
  )`,
  'create index approvals_by_end on approvals (until)',
  `create table actions (
    id text primary key,
    chat_id bigint not null,
    at bigint not null,
    by_id bigint not null,
    target_id bigint not null,
    kind text not null,
    reason text not null,
    until bigint,
    undone_at bigint
  )`,
  'create index actions_of_chat on actions (chat_id, at, id)',
  'create index actions_by_time on actions (at)',
  `create table due_jobs (
    id text primary key,
    kind text not null,
    chat_id bigint not null,
    telegram_id bigint,
    body text not null,
    due_at bigint not null,
    held_until bigint not null default 0,
    tries bigint not null default 0
  )`,
  'create index due_jobs_by_time on due_jobs (due_at)',
  'create index due_jobs_of_chat on due_jobs (chat_id)',
] as const;

export const moderateMembers: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of statements) {
      // In order: an index comes after its table.
      await sql.raw(statement).execute(db);
    }
  },
};
