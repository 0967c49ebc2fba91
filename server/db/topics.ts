/**
 * The topics of chats and what each blocks. Only what somebody has set is stored: a topic without
 * rows allows everything, so that adding one is one row and a new kind of message needs no change.
 */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

/** Setting name → blocked; only those ever set. */
export type StoredSettings = ReadonlyMap<string, boolean>;

export type NewSetting = {
  readonly topicId: number;
  readonly name: string;
  readonly isBlocked: boolean;
};

/** How many rows one insert takes: PostgreSQL allows 65,535 values in a statement, SQLite 32,766. */
export const rowsPerInsert = 1000;

/** More names than a chat can have topics here; the newest. */
const mostNames = 2000;

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

    /** What topics are called, as far as the bot has heard; also those that were not added. */
    async namesOf(chatId: number): Promise<ReadonlyMap<number, string>> {
      const rows = await db
        .selectFrom('topic_names')
        .select(['topic_id', 'name'])
        .where('chat_id', '=', chatId)
        .orderBy('updated_at', 'desc')
        .limit(mostNames)
        .execute();
      return new Map(rows.map(({ topic_id, name }) => [topic_id, name]));
    },

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

    /** Stores settings of topics that are there, all of them set at the same time. */
    async setAll(chatId: number, settings: readonly NewSetting[], now: number): Promise<void> {
      for (let start = 0; start < settings.length; start += rowsPerInsert) {
        // One connection has one statement at a time.
        await db
          .insertInto('topic_settings')
          .values(
            settings.slice(start, start + rowsPerInsert).map(({ topicId, name, isBlocked }) => ({
              chat_id: chatId,
              topic_id: topicId,
              name,
              is_blocked: Number(isBlocked),
              updated_at: now,
            })),
          )
          .onConflict((conflict) =>
            conflict.columns(['chat_id', 'topic_id', 'name']).doUpdateSet((eb) => ({
              is_blocked: eb.ref('excluded.is_blocked'),
              updated_at: eb.ref('excluded.updated_at'),
            })),
          )
          .execute();
      }
    },
  };
}
