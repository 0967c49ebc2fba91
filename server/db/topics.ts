/**
 * Stores the topics of chats, what each blocks, and what they are called. A setting that was never
 * set has no row and means allowed, so that a new topic or message type needs no further rows.
 */
import { type Kysely, sql } from 'kysely';

import { toLanguage } from './languages.ts';
import { type Tables } from './tables.ts';

/** Setting name → blocked; settings that were never set are missing. */
export type StoredSettings = ReadonlyMap<string, boolean>;

export type NewSetting = {
  readonly topicId: number;
  readonly name: string;
  readonly isBlocked: boolean;
};

/** Rows of one insert: PostgreSQL allows 65,535 values in a statement, SQLite 32,766. */
export const rowsPerInsert = 1000;

/** More than a chat can have topics in Nori; the newest are returned. */
const maxNames = 2000;

type TopicName = { readonly chatId: number; readonly topicId: number; readonly name: string };

export function createTopicRepository(db: Kysely<Tables>) {
  const selectSettings = (chatId: number) =>
    db
      .selectFrom('chats')
      .leftJoin('topics', 'topics.chat_id', 'chats.chat_id')
      .leftJoin('topic_settings', (join) =>
        join
          .onRef('topic_settings.chat_id', '=', 'topics.chat_id')
          .onRef('topic_settings.topic_id', '=', 'topics.topic_id'),
      )
      .select(['topics.topic_id', 'topic_settings.name', 'topic_settings.is_blocked'])
      .where('chats.chat_id', '=', chatId)
      .orderBy('topics.topic_id');

  return {
    /** Topic ID → settings, by ID. */
    async readAll(chatId: number): Promise<ReadonlyMap<number, StoredSettings>> {
      return groupByTopic(await selectSettings(chatId).execute());
    },

    /** A chat with all its topics in one statement; undefined when there is no such chat. */
    async readChat(chatId: number) {
      const rows = await selectSettings(chatId)
        .leftJoin('bot_chats', 'bot_chats.chat_id', 'chats.chat_id')
        .select(['chats.chat_name', 'chats.is_demo', 'bot_chats.language'])
        .execute();
      const [row] = rows;
      return (
        row && {
          chatId,
          name: row.chat_name,
          isDemo: row.is_demo === 1,
          language: toLanguage(row.language),
          topics: groupByTopic(rows),
        }
      );
    },

    /** Undefined when the chat has no such topic. */
    async read(chatId: number, topicId: number): Promise<StoredSettings | undefined> {
      const rows = await selectSettings(chatId).where('topics.topic_id', '=', topicId).execute();
      return groupByTopic(rows).get(topicId);
    },

    async listIds(chatId: number): Promise<ReadonlySet<number>> {
      const rows = await db
        .selectFrom('topics')
        .select('topic_id')
        .where('chat_id', '=', chatId)
        .execute();
      return new Set(rows.map(({ topic_id }) => topic_id));
    },

    async count(chatId: number): Promise<number> {
      const { total } = await db
        .selectFrom('topics')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .where('chat_id', '=', chatId)
        .executeTakeFirstOrThrow();
      return total;
    },

    /** Adds a topic. An existing one keeps its settings. */
    async add(chatId: number, topicId: number, now: number): Promise<void> {
      await db
        .insertInto('topics')
        .values({ chat_id: chatId, topic_id: topicId, created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Sets one setting of a topic. Returns false when it already had the value, or there is no such topic. */
    set: (chatId: number, { topicId, name, isBlocked }: NewSetting, now: number) => {
      const setting = { chatId, topicId, name };
      return isBlocked ? blockSetting(db, setting, now) : allowSetting(db, setting, now);
    },

    /** Sets settings of existing topics. */
    async setAll(chatId: number, settings: readonly NewSetting[], now: number): Promise<void> {
      for (let start = 0; start < settings.length; start += rowsPerInsert) {
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

export function createTopicNameRepository(db: Kysely<Tables>) {
  return {
    /** Topic ID → name, as far as the bot knows, also of topics that were not added in Nori. */
    async readAll(chatId: number): Promise<ReadonlyMap<number, string>> {
      const rows = await db
        .selectFrom('topic_names')
        .select(['topic_id', 'name'])
        .where('chat_id', '=', chatId)
        .orderBy('updated_at', 'desc')
        .limit(maxNames)
        .execute();
      return new Map(rows.map(({ topic_id, name }) => [topic_id, name]));
    },

    async save({ chatId, topicId, name }: TopicName, now: number): Promise<void> {
      await db
        .insertInto('topic_names')
        .values({ chat_id: chatId, topic_id: topicId, name, updated_at: now })
        .onConflict((conflict) =>
          conflict.columns(['chat_id', 'topic_id']).doUpdateSet({ name, updated_at: now }),
        )
        .execute();
    },

    /** Saves the name of a topic that has none yet. Returns whether it had none. */
    async saveFirst({ chatId, topicId, name }: TopicName, now: number): Promise<boolean> {
      const row = await db
        .insertInto('topic_names')
        .values({ chat_id: chatId, topic_id: topicId, name, updated_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .returning('topic_id')
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

type SettingKey = { readonly chatId: number; readonly topicId: number; readonly name: string };

async function allowSetting(
  db: Kysely<Tables>,
  { chatId, topicId, name }: SettingKey,
  now: number,
): Promise<boolean> {
  const row = await db
    .updateTable('topic_settings')
    .set({ is_blocked: 0, updated_at: now })
    .where('chat_id', '=', chatId)
    .where('topic_id', '=', topicId)
    .where('name', '=', name)
    .where('is_blocked', '=', 1)
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

async function blockSetting(
  db: Kysely<Tables>,
  { chatId, topicId, name }: SettingKey,
  now: number,
): Promise<boolean> {
  const row = await db
    .insertInto('topic_settings')
    .columns(['chat_id', 'topic_id', 'name', 'is_blocked', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom('topics')
        .select([
          'chat_id',
          'topic_id',
          sql<string>`cast(${name} as text)`.as('name'),
          sql<number>`1`.as('is_blocked'),
          sql<number>`cast(${now} as bigint)`.as('updated_at'),
        ])
        .where('chat_id', '=', chatId)
        .where('topic_id', '=', topicId),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['chat_id', 'topic_id', 'name'])
        .doUpdateSet({ is_blocked: 1, updated_at: now })
        .where('topic_settings.is_blocked', '=', 0),
    )
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

type SettingRow = {
  readonly topic_id: number | null;
  readonly name: string | null;
  readonly is_blocked: number | null;
};

function groupByTopic(rows: readonly SettingRow[]): ReadonlyMap<number, StoredSettings> {
  const topics = new Map<number, Map<string, boolean>>();
  for (const { topic_id, name, is_blocked } of rows) {
    if (topic_id !== null) {
      const settings = topics.get(topic_id) ?? new Map<string, boolean>();
      topics.set(topic_id, settings);
      if (name !== null) {
        settings.set(name, is_blocked === 1);
      }
    }
  }
  return topics;
}

/** What chats block, for moderation. */
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
