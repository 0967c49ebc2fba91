/** Chats and what their topics block: who may add one, and what those who manage it read. */
import { settingNames } from '#contract/chats/message-types';
import { type Settings } from '#contract/endpoints/chats';
import { type Dependencies } from '#server/app/dependencies';
import { createBotChatRepository, readNewestChat } from '#server/db/bot-chats';
import { createChatRepository, type StoredChat } from '#server/db/chats';
import { createTopicRepository, type StoredSettings } from '#server/db/topics';
import { AppError } from '#server/lib/errors';

import { type ChatAccess } from './access.ts';
import { type ChatEvents } from './events.ts';
import { chatTexts } from './texts.ts';

/** A chat with its topics: topic id → settings, all of them. */
export type ManagedChat = StoredChat & {
  readonly topics: ReadonlyMap<number, Settings>;
  /** What topics are called in Telegram, as far as the bot has heard. */
  readonly topicNames: ReadonlyMap<number, string>;
};

const maxTopics = 1000;

export function createChatService(
  { clock, telegram, database: { db } }: Dependencies,
  { access, events }: { readonly access: ChatAccess; readonly events: ChatEvents },
) {
  const chats = createChatRepository(db);
  const topics = createTopicRepository(db);
  const botChats = createBotChatRepository(db);

  return {
    /** The chats a person manages, without what they block. */
    async list(telegramId: number): Promise<readonly StoredChat[]> {
      const managed = await chats.listManagedBy(telegramId);
      // As everywhere: trust given by a server without a bot ends when there is one.
      return telegram === undefined ? managed : managed.filter(({ isDemo }) => !isDemo);
    },

    /** The chats that a person brought the bot to, or picked, and does not manage; newest first. */
    async unverified(telegramId: number) {
      return telegram === undefined ? [] : botChats.listUnverified(telegramId);
    },

    /** The chat that a person brought the bot to, or picked, last. */
    async newest(telegramId: number) {
      return telegram === undefined ? undefined : readNewestChat(db, telegramId);
    },

    /** Throws what `requireManager` throws, as do all below. */
    async read(telegramId: number, askedId: number): Promise<ManagedChat> {
      const chatId = await access.requireManager(askedId, telegramId, 'read');
      const [chat, stored, topicNames] = await Promise.all([
        chats.find(chatId),
        topics.readAll(chatId),
        topics.namesOf(chatId),
      ]);
      if (chat === undefined) {
        throw new AppError('chat_not_found');
      }
      return {
        ...chat,
        topicNames,
        topics: new Map([...stored].map(([topicId, settings]) => [topicId, whole(settings)])),
      };
    },

    async readTopic(telegramId: number, askedId: number, topicId: number): Promise<Settings> {
      const chatId = await access.requireManager(askedId, telegramId, 'read');
      return whole(found(await topics.read(chatId, topicId)));
    },

    /** Adds a topic that allows everything; one that is there already keeps its settings. */
    async addTopic(telegramId: number, askedId: number, topicId: number): Promise<Settings> {
      const chatId = await access.requireManager(askedId, telegramId, 'change');
      const known = await topics.read(chatId, topicId);
      if (known !== undefined) {
        return whole(known);
      }
      if ((await topics.count(chatId)) >= maxTopics) {
        throw new AppError('invalid_input', { detail: chatTexts.tooManyTopics(maxTopics) });
      }
      await topics.add(chatId, topicId, clock());
      events.publish(chatId, { kind: 'topics' });
      return whole(found(await topics.read(chatId, topicId)));
    },
  };
}

/** All settings of a topic; what nobody has set is allowed. */
function whole(stored: StoredSettings): Settings {
  return Object.fromEntries(settingNames.map((name) => [name, stored.get(name) ?? false]));
}

function found<T>(ofTopic: T | undefined): T {
  if (ofTopic === undefined) {
    throw new AppError('topic_not_found');
  }
  return ofTopic;
}
