/** What topics are called, as far as the bot has heard. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

type TopicName = { readonly chatId: number; readonly topicId: number; readonly name: string };

export function createTopicNameRepository(db: Kysely<Tables>) {
  const insert = ({ chatId, topicId, name }: TopicName, now: number) =>
    db
      .insertInto('topic_names')
      .values({ chat_id: chatId, topic_id: topicId, name, updated_at: now });

  return {
    async save(topic: TopicName, now: number): Promise<void> {
      await insert(topic, now)
        .onConflict((conflict) =>
          conflict
            .columns(['chat_id', 'topic_id'])
            .doUpdateSet({ name: topic.name, updated_at: now }),
        )
        .execute();
    },

    /** Whether this is the first that is heard of the topic; otherwise its name stays. */
    async saveIfNew(topic: TopicName, now: number): Promise<boolean> {
      const row = await insert(topic, now)
        .onConflict((conflict) => conflict.doNothing())
        .returning('topic_id')
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
