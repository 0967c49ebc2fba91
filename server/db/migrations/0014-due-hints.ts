/** Hints to users who added the bot without the right that it needs; they wait a moment. */
import { type Kysely, type Migration, sql } from 'kysely';

export const addDueHints: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`create table due_hints (
      chat_id bigint not null primary key,
      telegram_id bigint not null,
      due_at bigint not null,
      give_up_at bigint not null
    )`.execute(db);
    await sql`create index due_hints_by_time on due_hints (due_at)`.execute(db);
  },
};
