/** How often something happened in chats, in buckets of an hour. Times are epoch milliseconds. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

export type ChatNumber = {
  readonly chatId: number;
  /** -1 is the whole chat. */
  readonly topicId: number;
  readonly name: string;
  /** When the hour began, or the attack for which it is counted. */
  readonly hour: number;
  readonly count: number;
};

const attackPrefix = 'attack:';

/** The name under which something is counted once more for an attack. */
export const attackName = (name: string): string => `${attackPrefix}${name}`;

/** What of that was counted; undefined for other names. */
export const readAttackName = (name: string): string | undefined =>
  name.startsWith(attackPrefix) ? name.slice(attackPrefix.length) : undefined;

const toKey = ({ chatId, hour, name, topicId }: ChatNumber) =>
  `${chatId}:${hour}:${name}:${topicId}`;

/** Both databases limit the values of a statement; a row has five. */
const rowsPerStatement = 1000;

export function createChatNumberRepository(db: Kysely<Tables>) {
  return {
    /** Adds to what is stored, in one transaction. */
    async add(numbers: readonly ChatNumber[]): Promise<void> {
      // In the same order everywhere, so that no two processes wait for each other.
      const sorted = numbers.toSorted((one, other) => (toKey(one) < toKey(other) ? -1 : 1));
      await db.transaction().execute(async (tx) => {
        for (let start = 0; start < sorted.length; start += rowsPerStatement) {
          // In order: a connection runs one statement at a time.
          await tx
            .insertInto('chat_numbers')
            .values(
              sorted.slice(start, start + rowsPerStatement).map((number) => ({
                chat_id: number.chatId,
                topic_id: number.topicId,
                name: number.name,
                hour: number.hour,
                count: number.count,
              })),
            )
            .onConflict((conflict) =>
              conflict.columns(['chat_id', 'hour', 'name', 'topic_id']).doUpdateSet((eb) => ({
                count: eb('chat_numbers.count', '+', eb.ref('excluded.count')),
              })),
            )
            .execute();
        }
      });
    },

    /** The numbers of the hours that began at a time or later, the earliest first. */
    async list(chatId: number, since: number): Promise<readonly ChatNumber[]> {
      const rows = await db
        .selectFrom('chat_numbers')
        .selectAll()
        .where('chat_id', '=', chatId)
        .where('hour', '>=', since)
        .orderBy('hour')
        .orderBy('name')
        .orderBy('topic_id')
        .execute();
      return rows.map(({ chat_id, topic_id, name, hour, count }) => ({
        chatId: chat_id,
        topicId: topic_id,
        name,
        hour,
        count,
      }));
    },

    async removeBefore(time: number): Promise<void> {
      await db.deleteFrom('chat_numbers').where('hour', '<', time).execute();
    },
  };
}
