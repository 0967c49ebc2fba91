/** How often something happened in chats, in buckets of an hour. Times are epoch milliseconds. */
import { type Kysely, sql } from 'kysely';

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

export type DayNumber = {
  readonly name: string;
  /** When the day began. */
  readonly startsAt: number;
  readonly count: number;
};

const dayMs = 86_400_000;

const attackPrefix = 'attack:';

/** The name under which something is counted once more for an attack. */
export const attackName = (name: string): string => `${attackPrefix}${name}`;

const toKey = ({ chatId, hour, name, topicId }: ChatNumber) =>
  `${chatId}:${hour}:${name}:${topicId}`;

/** Both databases limit the values of a statement; a row has five. */
const rowsPerStatement = 1000;

export function createChatNumberRepository(db: Kysely<Tables>) {
  return {
    ...createSums(db),

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

/** What is added up by the database, so that each answer is short. */
function createSums(db: Kysely<Tables>) {
  return {
    /** The numbers of the hours that began at a time or later, by name and day; deletions are one of them by setting. */
    async listDays(
      chatId: number,
      { since, offsetMs }: { readonly since: number; readonly offsetMs: number },
    ): Promise<readonly DayNumber[]> {
      // Written out, as one of the databases divides numbers that are bound as if they had a fraction.
      const day = sql<number>`(hour + ${sql.lit(offsetMs)}) / ${sql.lit(dayMs)}`;
      const rows = await db
        .selectFrom('chat_numbers')
        .select(['name', day.as('day'), ({ fn }) => fn.sum<number>('count').as('total')])
        .where('chat_id', '=', chatId)
        .where('hour', '>=', since)
        .where('name', 'not like', `${attackPrefix}%`)
        .groupBy(['name', day])
        .execute();
      return rows.map(({ name, day: since1970, total }) => ({
        name,
        startsAt: since1970 * dayMs - offsetMs,
        count: total,
      }));
    },

    /** The topics with the most of what has names that begin so. */
    async listTopics(
      chatId: number,
      { since, prefix, limit }: { readonly since: number; prefix: string; limit: number },
    ): Promise<readonly { readonly topicId: number; readonly count: number }[]> {
      const rows = await db
        .selectFrom('chat_numbers')
        .select(['topic_id', ({ fn }) => fn.sum<number>('count').as('total')])
        .where('chat_id', '=', chatId)
        .where('hour', '>=', since)
        .where('name', 'like', `${prefix}%`)
        .groupBy('topic_id')
        .orderBy('total', 'desc')
        .orderBy('topic_id')
        .limit(limit)
        .execute();
      return rows.map(({ topic_id, total }) => ({ topicId: topic_id, count: total }));
    },

    /** When attacks began for which something was counted; the latest one, at a time or later. */
    async findLatestAttack(chatId: number, since: number): Promise<number | undefined> {
      const row = await db
        .selectFrom('chat_numbers')
        .select('hour')
        .where('chat_id', '=', chatId)
        .where('hour', '>=', since)
        .where('name', 'like', `${attackPrefix}%`)
        .orderBy('hour', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.hour;
    },

    /** What was counted for the attack that began then, by name. */
    async listAttack(
      chatId: number,
      since: number,
    ): Promise<readonly (readonly [string, number])[]> {
      const rows = await db
        .selectFrom('chat_numbers')
        .select(['name', ({ fn }) => fn.sum<number>('count').as('total')])
        .where('chat_id', '=', chatId)
        .where('hour', '=', since)
        .where('name', 'like', `${attackPrefix}%`)
        .groupBy('name')
        .execute();
      return rows.map(({ name, total }) => [name.slice(attackPrefix.length), total]);
    },
  };
}
