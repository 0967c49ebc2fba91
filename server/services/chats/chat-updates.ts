/** Stores what Telegram's updates say about chats: the bot's place, names, managers, and new ids. */
import { type Dependencies } from '#server/app/dependencies';
import { createBotChatRepository } from '#server/db/bot-chats';
import { createLanguageRepository } from '#server/db/languages';
import { createManagerRepository } from '#server/db/managers';
import { saveCommunity } from '#server/db/shared-bans';
import { createTopicNameRepository } from '#server/db/topics';
import { createErasedMarks } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { type UserLanguageService } from '#services/accounts';

import { type ChatEvents, type ChatUpgrades } from './events.ts';
import { type ArrivalHints } from './hints.ts';

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

type Tools = {
  readonly events: ChatEvents;
  readonly upgrades: ChatUpgrades;
  readonly hints: ArrivalHints;
  readonly userLanguages: UserLanguageService;
};

export function createChatUpdateHandler(
  { database: { db }, clock, telegram, keptKeys }: Dependencies,
  { events, upgrades, hints, userLanguages }: Tools,
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
