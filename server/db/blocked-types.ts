/** What chats block, read for those who enforce it. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

export function createBlockedTypeRepository(db: Kysely<Tables>) {
  /** Chats that were taken on trust, by a server without a bot, are nobody's proven wish. */
  const blocked = () =>
    db
      .selectFrom('topic_settings')
      .innerJoin('chats', 'chats.chat_id', 'topic_settings.chat_id')
      .where('topic_settings.is_blocked', '=', 1)
      .where('chats.is_demo', '=', 0);

  return {
    /** The chats that block anything. */
    async chats(): Promise<readonly number[]> {
      const rows = await blocked().select('topic_settings.chat_id').distinct().execute();
      return rows.map(({ chat_id }) => chat_id);
    },

    /** Setting names of what a chat blocks, topic by topic. */
    async ofChat(
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
