/** When a user last added the bot to a chat, or picked the chat. */
import { type Kysely, type Migration, sql } from 'kysely';

export const noteArrivals: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table bot_chats add column added_at bigint`.execute(db);
  },
};
