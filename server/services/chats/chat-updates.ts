import { type Dependencies } from '#server/app/dependencies';
/** What the bot hears about chats, and what follows from it: health, names, owners, and other ids. */
import { createBotChatRepository } from '#server/db/bot-chats';
import { createManagerRepository } from '#server/db/managers';
import { createTopicNameRepository } from '#server/db/topic-names';
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { type Limiter } from '#server/services/limiter';
import { type Messages } from '#server/services/messages';

import { type ChatEvents } from './events.ts';
import { chatTexts } from './texts.ts';
import { type ChatUpgrades } from './upgrades.ts';

/** The bot's place in a group or supergroup, and who changed it. */
export type BotMove = {
  readonly chatId: number;
  readonly title: string;
  readonly isForum: boolean;
  readonly wasIn: boolean;
  readonly isIn: boolean;
  readonly mayDelete: boolean;
  /** Undefined for somebody who cannot be told apart, such as an anonymous administrator. */
  readonly by: number | undefined;
};

type Topic = { readonly chatId: number; readonly topicId: number; readonly name: string };

export type ChatUpdateHandler = ReturnType<typeof createChatUpdateHandler>;

/** Topics that need not be looked up in the database again. */
const mostKnownTopics = 10_000;

type Tools = {
  readonly events: ChatEvents;
  readonly upgrades: ChatUpgrades;
  readonly messages: Messages;
  readonly limiter: Limiter;
};

export function createChatUpdateHandler(
  { database: { db }, clock, log, telegram }: Dependencies,
  { events, upgrades, messages, limiter }: Tools,
) {
  const botChats = createBotChatRepository(db);
  const managers = createManagerRepository(db);
  const topicNames = createTopicNameRepository(db);
  const knownTopics = new Set<string>();

  /** Telegram is asked about everybody who manages the chat with their next call, and open pages make one. */
  async function doubtManagers(chatId: number): Promise<void> {
    await managers.forgetChecks(chatId);
    events.publish(chatId, { kind: 'health' });
  }

  /** At most one hint for a chat and its adder, however often Telegram repeats itself. */
  async function askForRight({ chatId, title }: BotMove, adder: number): Promise<void> {
    if (!(await limiter.tryTake(limits.botHints, `${chatId}:${adder}`))) {
      return;
    }
    try {
      await messages.send(adder, { text: chatTexts.needsRight(title) });
    } catch (error) {
      // It is a help and no promise; what the bot may do is shown in Nori, too.
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ reason }, 'hint was not sent');
    }
  }

  return {
    /** The bot came, went, or may do more or less than before. */
    async botMoved(move: BotMove): Promise<void> {
      const { chatId, title, isForum, isIn, mayDelete, wasIn, by } = move;
      await botChats.save(chatId, { isIn, mayDelete, isForum, name: title }, clock());
      const isNew = isIn && !wasIn;
      if (isNew && by !== undefined) {
        await botChats.setAdder(chatId, { addedBy: by, name: title }, clock());
      }
      await doubtManagers(chatId);
      if (isNew && by !== undefined && !mayDelete) {
        await askForRight(move, by);
      }
    },

    /** Somebody picked a chat of theirs in Telegram's own list, to manage it in Nori. */
    async picked(chatId: number, by: number, title: string | undefined): Promise<void> {
      await botChats.setAdder(chatId, { addedBy: by, name: title }, clock());
      const status = await telegram?.readBotStatus(chatId).catch((error: unknown) => {
        // The bot may be on its way there; its coming is an update of its own.
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

    /** Somebody's role changed: nothing if they have no part in managing the chat here. */
    async roleChanged(chatId: number, telegramId: number): Promise<void> {
      if (await managers.hasPartIn(chatId, telegramId)) {
        await doubtManagers(chatId);
      }
    },

    /** The chat has another owner, or will have one. */
    ownerChanged: doubtManagers,

    async renamed(chatId: number, title: string): Promise<void> {
      await botChats.rename(chatId, title);
      events.publish(chatId, { kind: 'health' });
    },

    /** A topic was made, or has another name. */
    async topicNamed({ chatId, topicId, name }: Topic): Promise<void> {
      await topicNames.save({ chatId, topicId, name }, clock());
      events.publish(chatId, { kind: 'topics' });
    },

    /** What a topic was called when it was made, for those that are older than the bot's stay. */
    async topicSeen(topic: Topic): Promise<void> {
      const key = `${topic.chatId}:${topic.topicId}`;
      if (knownTopics.has(key)) {
        return;
      }
      if (await topicNames.saveIfNew(topic, clock())) {
        events.publish(topic.chatId, { kind: 'topics' });
      }
      knownTopics.add(key);
      const [oldest] = knownTopics;
      if (knownTopics.size > mostKnownTopics && oldest !== undefined) {
        knownTopics.delete(oldest);
      }
    },

    upgraded: (oldId: number, newId: number): Promise<void> => upgrades.upgrade(oldId, newId),
  };
}
