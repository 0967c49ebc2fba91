/** Updates of Telegram are saved before they are handled; due deletions have a lease; counts say what is exact. */
import { type Kysely, type Migration, sql } from 'kysely';

const statements = [
  `create table bot_inbox (
    bot_id bigint not null,
    update_id bigint not null,
    chat_id bigint not null,
    payload text,
    received_at bigint not null,
    handled_at bigint,
    runner text not null,
    leased_until bigint not null,
    primary key (bot_id, update_id)
  )`,
  'create index bot_inbox_open on bot_inbox (bot_id, chat_id, update_id) where handled_at is null',
  'create index bot_inbox_by_arrival on bot_inbox (received_at)',
  'alter table due_deletions add column leased_until bigint not null default 0',
  'alter table deletions add column uncertain bigint not null default 0',
] as const;

export const addBotInbox: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of statements) {
      // In order: an index refers to its table.
      await sql.raw(statement).execute(db);
    }
  },
};
