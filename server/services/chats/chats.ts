/**
 * The chats that the bot is in: what a user reads of them, picks and adds; and what Telegram's updates say of the bot's
 * place, of names, managers and new IDs, which is stored.
 */
import { moreSettingNames, settingNames } from '#contract/chats/message-types';
import { type Settings } from '#contract/endpoints/chats';
import { type Language, sourceLanguage } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createBotChatRepository, readNewestChat } from '#server/db/bot-chats';
import { createChatRepository, type StoredChat } from '#server/db/chats';
import { createLanguageRepository } from '#server/db/languages';
import { createManagerRepository } from '#server/db/managers';
import { saveCommunity } from '#server/db/shared-bans';
import {
  createTopicNameRepository,
  createTopicRepository,
  type StoredSettings,
} from '#server/db/topics';
import { createErasedMarks } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { limits, topicRules } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';
import { type UserLanguageService } from '#services/accounts';

import { type ChatAccess } from './access.ts';
import { type ChatEvents, type ChatUpgrades } from './events.ts';
import { type ArrivalHints } from './hints.ts';
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

/** The bot's place in a group or supergroup before and after a change. */
export type BotMove = {
  readonly chatId: number;
  readonly title: string;
  readonly isForum: boolean;
  readonly wasIn: boolean;
  readonly isIn: boolean;
  readonly mayDelete: boolean;
  /** The user who changed it; undefined for a bot, in whose name anonymous administrators act. */
  readonly by: User | undefined;
};

/** `languageCode` is the language of their Telegram, as the update says. */
type User = { readonly telegramId: number; readonly languageCode: string | undefined };

type Topic = { readonly chatId: number; readonly topicId: number; readonly name: string };

export type ChatUpdateHandler = ReturnType<typeof createChatUpdateHandler>;

/** Topics whose names are known to be stored. */
const maxKnownTopics = 10_000;

type UpdateTools = {
  readonly events: ChatEvents;
  readonly upgrades: ChatUpgrades;
  readonly hints: ArrivalHints;
  readonly userLanguages: UserLanguageService;
};

export function createChatUpdateHandler(
  { database: { db }, clock, telegram, keptKeys }: Dependencies,
  { events, upgrades, hints, userLanguages }: UpdateTools,
) {
  const botChats = createBotChatRepository(db);
  const managers = createManagerRepository(db);
  const languages = createLanguageRepository(db);
  const knownTopics = new Set<string>();
  const toMarks = createErasedMarks(keptKeys.erasedIds);

  /** With the next call of each user who manages the chat, Telegram is asked whether they still may. Open pages call at once. */
  async function recheckManagers(chatId: number): Promise<void> {
    await events.publishWith(chatId, { kind: 'health' }, (tx) =>
      createManagerRepository(tx).forgetChecks(chatId),
    );
  }

  /** Until it is known what a group speaks, the bot writes there as it does to who brought it there. */
  async function saveAdder(chatId: number, name: string | undefined, by: User): Promise<void> {
    await botChats.setAdder(chatId, { addedBy: by.telegramId, name }, clock());
    const { language } = await userLanguages.readLanguage(by.telegramId, {
      code: by.languageCode,
    });
    await languages.setFirstOfChat(chatId, language);
  }

  return {
    /** The bot was added, removed, or has other rights. */
    async botMoved(move: BotMove): Promise<void> {
      const { chatId, title, isForum, isIn, mayDelete, wasIn, by } = move;
      await botChats.save(chatId, { isIn, mayDelete, isForum, name: title }, clock());
      const isNew = isIn && !wasIn;
      if (isNew && by !== undefined) {
        await saveAdder(chatId, title, by);
      }
      await recheckManagers(chatId);
      if (isNew && by !== undefined) {
        await hints.plan(chatId, by.telegramId);
      }
    },

    /** A user picked their own chat in Telegram's list, to manage it in Nori. */
    async picked(chatId: number, by: User, title: string | undefined): Promise<void> {
      await saveAdder(chatId, title, by);
      const status = await telegram?.readBotStatus(chatId).catch((error: unknown) => {
        // When the bot is added later, that is an update of its own.
        if (error instanceof AppError) {
          return undefined;
        }
        throw error;
      });
      if (status?.isIn === true) {
        await botChats.save(status.chatId, { ...status, name: status.title }, clock());
      }
      events.publish(chatId, { kind: 'health' });
    },

    /** Only matters for users who manage the chat in Nori. */
    async roleChanged(chatId: number, telegramId: number): Promise<void> {
      if (await managers.isManagerOrOwner(chatId, telegramId, toMarks(telegramId))) {
        await recheckManagers(chatId);
      }
    },

    /** The owner has left, or has passed the chat on. */
    ownerChanged: recheckManagers,

    /** The chat has joined a community of Telegram, or with null left the one it was in. */
    communityChanged: (chatId: number, communityId: number | null): Promise<void> =>
      saveCommunity(db, chatId, communityId),

    async renamed(chatId: number, title: string): Promise<void> {
      await events.publishWith(chatId, { kind: 'health' }, (tx) =>
        createBotChatRepository(tx).rename(chatId, title),
      );
    },

    /** A topic was created or renamed. */
    async topicNamed({ chatId, topicId, name }: Topic): Promise<void> {
      await events.publishWith(chatId, { kind: 'topics' }, (tx) =>
        createTopicNameRepository(tx).save({ chatId, topicId, name }, clock()),
      );
    },

    /** Stores the first name of a topic that was created before the bot was added. */
    async topicSeen(topic: Topic): Promise<void> {
      const key = `${topic.chatId}:${topic.topicId}`;
      if (knownTopics.has(key)) {
        return;
      }
      await events.publishWith(topic.chatId, { kind: 'topics' }, (tx) =>
        createTopicNameRepository(tx).saveFirst(topic, clock()),
      );
      knownTopics.add(key);
      const [oldest] = knownTopics;
      if (knownTopics.size > maxKnownTopics && oldest !== undefined) {
        knownTopics.delete(oldest);
      }
    },

    upgraded: (oldId: number, newId: number): Promise<void> => upgrades.upgrade(oldId, newId),
  };
}
