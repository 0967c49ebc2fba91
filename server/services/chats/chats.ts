/** The chats of a user: listing and reading them, picking one to add, and adding topics. */
import { moreSettingNames, settingNames } from '#contract/chats/message-types';
import { type Settings } from '#contract/endpoints/chats';
import { type Language, sourceLanguage } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createBotChatRepository, readNewestChat } from '#server/db/bot-chats';
import { createChatRepository, type StoredChat } from '#server/db/chats';
import { createLanguageRepository } from '#server/db/languages';
import {
  createTopicNameRepository,
  createTopicRepository,
  type StoredSettings,
} from '#server/db/topics';
import { AppError } from '#server/lib/errors';
import { limits, topicRules } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';

import { type ChatAccess } from './access.ts';
import { type ChatEvents } from './events.ts';
import { chatTexts } from './texts.ts';

/** A chat with its topics: topic ID → all settings. */
export type ManagedChat = StoredChat & {
  /** What the bot writes there; undefined while it is not known, and the bot writes English. */
  readonly language: Language | undefined;
  /** What it can write. */
  readonly languages: readonly Language[];
  readonly topics: ReadonlyMap<number, Settings>;
  /** The names of topics in Telegram, as far as the bot knows them. */
  readonly topicNames: ReadonlyMap<number, string>;
};

type Tools = {
  readonly access: ChatAccess;
  readonly events: ChatEvents;
  readonly limiter: Limiter;
};

export function createChatService(
  { clock, telegram, env, database: { db }, languages: { offered } }: Dependencies,
  { access, events, limiter }: Tools,
) {
  const chats = createChatRepository(db);
  const topics = createTopicRepository(db);
  const names = createTopicNameRepository(db);
  const botChats = createBotChatRepository(db);
  const languages = createLanguageRepository(db);

  return {
    /** The chats that a user manages, without their settings. */
    async list(telegramId: number): Promise<readonly StoredChat[]> {
      const managed = await chats.listManagedBy(telegramId);
      // A chat that was added without a bot is no longer trusted when there is one.
      return telegram === undefined ? managed : managed.filter(({ isDemo }) => !isDemo);
    },

    /** The chats that a user added the bot to, or picked, and does not manage; newest first. */
    async unverified(telegramId: number) {
      return telegram === undefined ? [] : botChats.listUnverified(telegramId);
    },

    /** The chat that a user added the bot to, or picked, last. */
    async newest(telegramId: number) {
      return telegram === undefined ? undefined : readNewestChat(db, telegramId);
    },

    /** Throws what `requireManager` throws, as do `readTopic` and `addTopic`. */
    async read(telegramId: number, givenId: number): Promise<ManagedChat> {
      const chatId = await access.requireManager(givenId, telegramId, 'read');
      const [chat, topicNames] = await Promise.all([
        topics.readChat(chatId),
        names.readAll(chatId),
      ]);
      if (chat === undefined) {
        throw new AppError('chat_not_found');
      }
      return {
        ...chat,
        languages: offered,
        topicNames,
        topics: new Map([...chat.topics].map(([topicId, stored]) => [topicId, toSettings(stored)])),
      };
    },

    async readTopic(telegramId: number, givenId: number, topicId: number): Promise<Settings> {
      const chatId = await access.requireManager(givenId, telegramId, 'read');
      const stored = await topics.read(chatId, topicId);
      if (stored === undefined) {
        throw new AppError('topic_not_found');
      }
      return toSettings(stored);
    },

    /** Adds a topic that allows everything. An existing topic keeps its settings. */
    async addTopic(telegramId: number, givenId: number, topicId: number): Promise<Settings> {
      const chatId = await access.requireManager(givenId, telegramId, 'change');
      const existing = await topics.read(chatId, topicId);
      if (existing !== undefined) {
        return toSettings(existing);
      }
      if ((await topics.count(chatId)) >= topicRules.max) {
        throw new AppError('invalid_input', {
          detail: (say) => say(chatTexts).tooManyTopics(topicRules.max),
        });
      }
      await events.publishWith(chatId, { kind: 'topics' }, (tx) =>
        createTopicRepository(tx).add(chatId, topicId, clock()),
      );
      return toSettings(new Map());
    },

    /** What the bot writes in a group. */
    readLanguage: async (chatId: number): Promise<Language> =>
      (await languages.findChat(chatId)) ?? sourceLanguage,

    /** Whether a picked chat arrives: the bot gets it as an update, so it must receive updates. */
    canPick: telegram !== undefined && env.botMode !== 'off',

    /**
     * Prepares Telegram's list of groups to pick one from; returns the ID that the client opens it with.
     * Throws `service_not_set_up` without a bot that receives updates, `bot_not_started`, `rate_limited`
     * or `telegram_unavailable`.
     */
    async preparePick(telegramId: number): Promise<string> {
      if (telegram === undefined || env.botMode === 'off') {
        throw new AppError('service_not_set_up', { detail: (say) => say(chatTexts).noBotToPick });
      }
      await limiter.take(limits.chatPicks, telegramId);
      const prepared = await telegram.preparePick(telegramId);
      if (prepared === 'unreachable') {
        throw new AppError('bot_not_started');
      }
      return prepared.id;
    },
  };
}

/** The settings of a topic. One that was never set means allowed, and so does one that is left out. */
function toSettings(stored: StoredSettings): Settings {
  return Object.fromEntries([
    ...settingNames.map((name) => [name, stored.get(name) ?? false] as const),
    // Clients of the specification show whatever is listed, so these are listed only while they matter.
    ...moreSettingNames.filter((name) => stored.get(name)).map((name) => [name, true] as const),
  ]);
}
