/** What chats block, for moderation. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

export function createBlockedTypeRepository(db: Kysely<Tables>) {
  return {
    /** The chats that block anything, those of a demo too. */
    async listChats(): Promise<readonly number[]> {
      const rows = await db
        .selectFrom('topic_settings')
        .select('chat_id')
        .where('is_blocked', '=', 1)
        .distinct()
        .execute();
      return rows.map(({ chat_id }) => chat_id);
    },

    /**
     * Setting names of what a chat blocks, topic by topic. In a demo chats are not verified, so the settings of
     * demo chats are not enforced.
     */
    async listOfChat(
      chatId: number,
    ): Promise<readonly { readonly topicId: number; readonly name: string }[]> {
      const rows = await db
        .selectFrom('topic_settings')
        .innerJoin('chats', 'chats.chat_id', 'topic_settings.chat_id')
        .select(['topic_settings.topic_id', 'topic_settings.name'])
        .where('topic_settings.is_blocked', '=', 1)
        .where('chats.is_demo', '=', 0)
        .where('topic_settings.chat_id', '=', chatId)
        .execute();
      return rows.map(({ topic_id, name }) => ({ topicId: topic_id, name }));
    },
  };
}
