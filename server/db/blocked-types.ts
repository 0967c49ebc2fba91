/** What chats block, for moderation. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

export function createBlockedTypeRepository(db: Kysely<Tables>) {
  /** In a demo chats are not verified, so the settings of demo chats are not enforced. */
  const blocked = () =>
    db
      .selectFrom('topic_settings')
      .innerJoin('chats', 'chats.chat_id', 'topic_settings.chat_id')
      .where('topic_settings.is_blocked', '=', 1)
      .where('chats.is_demo', '=', 0);

  return {
    /** The chats that block anything. */
    async listChats(): Promise<readonly number[]> {
      const rows = await blocked().select('topic_settings.chat_id').distinct().execute();
      return rows.map(({ chat_id }) => chat_id);
    },

    /** Setting names of what a chat blocks, topic by topic. */
    async listOfChat(
      chatId: number,
    ): Promise<readonly { readonly topicId: number; readonly name: string }[]> {
      const rows = await blocked()
        .select(['topic_settings.topic_id', 'topic_settings.name'])
        .where('topic_settings.chat_id', '=', chatId)
        .execute();
      return rows.map(({ topic_id, name }) => ({ topicId: topic_id, name }));
    },
  };
}
