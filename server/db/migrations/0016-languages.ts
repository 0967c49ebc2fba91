/** The languages of users and groups, and what the bot has told Telegram about itself. */
import { type Kysely, type Migration, sql } from 'kysely';

const statements = [
  'alter table people add column language text',
  'alter table people add column language_code text',
  'alter table bot_chats add column language text',
  `create table bot_profile (
    bot_id bigint not null,
    part text not null,
    fingerprint text not null,
    primary key (bot_id, part)
  )`,
] as const;

export const addLanguages: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of statements) {
      // SQLite adds one column in a statement.
      await sql.raw(statement).execute(db);
    }
  },
};
