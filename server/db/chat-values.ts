/** Stores the values of chats: what is set besides the locks of their topics. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';
import { rowsPerInsert } from './topics.ts';

/** The topic ID of what is set for the whole chat; 0 is General. */
export const wholeChatId = -1;

/** Topic ID, or `wholeChatId` → name → value. */
export type StoredChatValues = ReadonlyMap<number, ReadonlyMap<string, unknown>>;

export type NewValue = {
  readonly topicId: number;
  readonly name: string;
  /** Null removes what is stored. */
  readonly value: unknown;
};

export function createChatValueRepository(db: Kysely<Tables>) {
  const selectValues = (chatId: number) =>
    db
      .selectFrom('chat_values')
      .select(['chat_values.topic_id', 'chat_values.name', 'chat_values.value'])
      .where('chat_values.chat_id', '=', chatId)
      .orderBy('chat_values.topic_id')
      .orderBy('chat_values.name');
  /** In a demo chats are not verified, so the values of demo chats do not count for the bot. */
  const verified = (query: ReturnType<typeof selectValues>) =>
    query.innerJoin('chats', 'chats.chat_id', 'chat_values.chat_id').where('chats.is_demo', '=', 0);

  return {
    async readAll(chatId: number): Promise<StoredChatValues> {
      return groupByTopic(await selectValues(chatId).execute());
    },

    /** What counts for the bot. */
    async readVerified(chatId: number): Promise<StoredChatValues> {
      return groupByTopic(await verified(selectValues(chatId)).execute());
    },

    /** The chat has to be in `chats`. */
    async set(chatId: number, values: readonly NewValue[], now: number): Promise<void> {
      const [removed, kept] = [
        values.filter(({ value }) => value === null),
        values.filter(({ value }) => value !== null),
      ];
      for (let start = 0; start < removed.length; start += rowsPerInsert) {
        const some = removed.slice(start, start + rowsPerInsert);
        await db
          .deleteFrom('chat_values')
          .where('chat_id', '=', chatId)
          .where((eb) =>
            eb(
              eb.refTuple('topic_id', 'name'),
              'in',
              some.map(({ topicId, name }) => eb.tuple(topicId, name)),
            ),
          )
          .execute();
      }
      for (let start = 0; start < kept.length; start += rowsPerInsert) {
        await db
          .insertInto('chat_values')
          .values(
            kept.slice(start, start + rowsPerInsert).map(({ topicId, name, value }) => ({
              chat_id: chatId,
              topic_id: topicId,
              name,
              value: JSON.stringify(value),
              updated_at: now,
            })),
          )
          .onConflict((conflict) =>
            conflict.columns(['chat_id', 'topic_id', 'name']).doUpdateSet((eb) => ({
              value: eb.ref('excluded.value'),
              updated_at: eb.ref('excluded.updated_at'),
            })),
          )
          .execute();
      }
    },

    /** The chats that have any. */
    async listChats(): Promise<readonly number[]> {
      const rows = await db.selectFrom('chat_values').select('chat_id').distinct().execute();
      return rows.map(({ chat_id }) => chat_id);
    },

    /** The chats in which any of these values is set. */
    async listChatsWith(names: readonly string[]): Promise<readonly number[]> {
      const rows = await db
        .selectFrom('chat_values')
        .select('chat_id')
        .where('topic_id', '=', wholeChatId)
        .where('name', 'in', names)
        .distinct()
        .execute();
      return rows.map(({ chat_id }) => chat_id);
    },

    /** Removes the values of chats that the bot left before a time. */
    async removeLeftBefore(time: number): Promise<void> {
      await db
        .deleteFrom('chat_values')
        .where('chat_id', 'in', (eb) =>
          eb
            .selectFrom('bot_chats')
            .select('bot_chats.chat_id')
            .where('is_in', '=', 0)
            .where('bot_chats.updated_at', '<', time),
        )
        .execute();
    },
  };
}

function groupByTopic(
  rows: readonly Pick<Tables['chat_values'], 'topic_id' | 'name' | 'value'>[],
): StoredChatValues {
  const topics = new Map<number, Map<string, unknown>>();
  for (const { topic_id, name, value } of rows) {
    const values = topics.get(topic_id) ?? new Map<string, unknown>();
    const parsed: unknown = JSON.parse(value);
    topics.set(topic_id, values.set(name, parsed));
  }
  return topics;
}
