/** Chats and topics of the bot, counts of deletions, and the history of settings. */
import { type Kysely, type Migration, sql } from 'kysely';

const statements = [
  `create table bot_chats (
    chat_id bigint primary key,
    chat_name text not null,
    is_in bigint not null check (is_in in (0, 1)),
    may_delete bigint not null check (may_delete in (0, 1)),
    is_forum bigint not null check (is_forum in (0, 1)),
    added_by bigint,
    updated_at bigint not null
  )`,
  'create index bot_chats_by_adder on bot_chats (added_by)',
  `create table topic_names (
    chat_id bigint not null,
    topic_id bigint not null,
    name text not null,
    updated_at bigint not null,
    primary key (chat_id, topic_id)
  )`,
  `create table setting_changes (
    id text primary key,
    chat_id bigint not null references chats (chat_id) on delete cascade,
    changed_at bigint not null,
    changed_by bigint not null,
    kind text not null,
    preset text,
    item_count bigint not null
  )`,
  'create index setting_changes_of_chat on setting_changes (chat_id, changed_at, item_count)',
  `create table setting_change_items (
    change_id text not null references setting_changes (id) on delete cascade,
    topic_id bigint not null,
    name text not null,
    was bigint not null check (was in (0, 1)),
    becomes bigint not null check (becomes in (0, 1)),
    primary key (change_id, topic_id, name)
  )`,
  `create table deletions (
    chat_id bigint not null,
    name text not null,
    hour bigint not null,
    total bigint not null,
    primary key (chat_id, name, hour)
  )`,
  'create index deletions_by_hour on deletions (hour)',
  `create table due_deletions (
    chat_id bigint not null,
    message_id bigint not null,
    due_at bigint not null,
    setting text,
    sender_id bigint,
    give_up_at bigint not null,
    primary key (chat_id, message_id)
  )`,
  'create index due_deletions_by_time on due_deletions (due_at)',
] as const;

export const watchChats: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of statements) {
      // In order: a later table refers to an earlier one.
      await sql.raw(statement).execute(db);
    }
  },
};
