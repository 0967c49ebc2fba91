/**
 * The topics of chats and what each blocks. Only what somebody has set is stored: a topic without
 * rows allows everything, so that adding one is one row and a new kind of message needs no change.
 */
import { type Kysely, sql } from 'kysely';

import { type Tables } from './tables.ts';

/** Setting name → blocked; only those ever set. */
export type StoredSettings = ReadonlyMap<string, boolean>;

export type SettingChange = {
  readonly chatId: number;
  readonly topicId: number;
  readonly name: string;
  readonly isBlocked: boolean;
  /** Telegram id of whoever changes it. */
  readonly by: number;
};

export function createTopicRepository(db: Kysely<Tables>) {
  /** All topics of a chat in one query, or the one asked for. */
  async function readTopics(chatId: number, topicId?: number) {
    const rows = await db
      .selectFrom('topics')
      .leftJoin('topic_settings', (join) =>
        join
          .onRef('topic_settings.chat_id', '=', 'topics.chat_id')
          .onRef('topic_settings.topic_id', '=', 'topics.topic_id'),
      )
      .select(['topics.topic_id', 'topic_settings.name', 'topic_settings.is_blocked'])
      .where('topics.chat_id', '=', chatId)
      .$if(topicId !== undefined, (query) => query.where('topics.topic_id', '=', topicId ?? 0))
      .orderBy('topics.topic_id')
      .execute();

    const topics = new Map<number, Map<string, boolean>>();
    for (const { topic_id, name, is_blocked } of rows) {
      const settings = topics.get(topic_id) ?? new Map<string, boolean>();
      topics.set(topic_id, settings);
      if (name !== null) {
        settings.set(name, is_blocked === 1);
      }
    }
    return topics;
  }

  return {
    /** Topic id → settings, by id. */
    readAll: (chatId: number): Promise<ReadonlyMap<number, StoredSettings>> => readTopics(chatId),

    read: async (chatId: number, topicId: number): Promise<StoredSettings | undefined> =>
      (await readTopics(chatId, topicId)).get(topicId),

    async count(chatId: number): Promise<number> {
      const { total } = await db
        .selectFrom('topics')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .where('chat_id', '=', chatId)
        .executeTakeFirstOrThrow();
      return total;
    },

    /** Adds a topic; one that is there already keeps its settings. */
    async add(chatId: number, topicId: number, now: number): Promise<void> {
      await db
        .insertInto('topics')
        .values({ chat_id: chatId, topic_id: topicId, created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /**
     * Stores a setting in one statement, so that of parallel writes the last one holds whole.
     * Answers the stored value, or undefined when there is no such topic.
     */
    async set(
      { chatId, topicId, name, isBlocked, by }: SettingChange,
      now: number,
    ): Promise<boolean | undefined> {
      const stored = await db
        .insertInto('topic_settings')
        .columns(['chat_id', 'topic_id', 'name', 'is_blocked', 'updated_at', 'updated_by'])
        .expression(
          db
            .selectFrom('topics')
            .select([
              'chat_id',
              'topic_id',
              sql<string>`cast(${name} as text)`.as('name'),
              sql<number>`cast(${Number(isBlocked)} as bigint)`.as('is_blocked'),
              sql<number>`cast(${now} as bigint)`.as('updated_at'),
              sql<number>`cast(${by} as bigint)`.as('updated_by'),
            ])
            .where('chat_id', '=', chatId)
            .where('topic_id', '=', topicId),
        )
        .onConflict((conflict) =>
          conflict.columns(['chat_id', 'topic_id', 'name']).doUpdateSet((eb) => ({
            is_blocked: eb.ref('excluded.is_blocked'),
            updated_at: eb.ref('excluded.updated_at'),
            updated_by: eb.ref('excluded.updated_by'),
          })),
        )
        .returning('is_blocked')
        .executeTakeFirst();
      return stored && stored.is_blocked === 1;
    },
  };
}
