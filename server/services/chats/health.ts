/** How a chat fares: what the bot may do there, as Telegram says, and what it has deleted. */
import { type ChatHealth } from '#contract/endpoints/chat-activity';
import { type Dependencies } from '#server/app/dependencies';
import { createBotChatRepository } from '#server/db/bot-chats';
import { createDeletionRepository } from '#server/db/deletions';
import { AppError } from '#server/lib/errors';
import { healthRules } from '#server/lib/limits';
import { createMemoryCache } from '#server/lib/memory-cache';
import { type BotStatus, type Telegram } from '#server/upstream/telegram/telegram';

import { type ChatAccess } from './access.ts';
import { type ChatEvents } from './events.ts';
import { type ChatUpgrades } from './upgrades.ts';

type Tools = {
  readonly access: ChatAccess;
  readonly events: ChatEvents;
  readonly upgrades: ChatUpgrades;
};

/** What Telegram said, or that it did not answer and wants to be left alone until then. */
type Answer =
  | { readonly status: BotStatus; readonly checkedAt: number }
  | { readonly quietUntil: number };

const dayMs = 24 * 60 * 60_000;

export function createChatHealth(
  { database: { db }, telegram, clock, env }: Dependencies,
  { access, events, upgrades }: Tools,
) {
  const botChats = createBotChatRepository(db);
  const deletions = createDeletionRepository(db);
  const answers = createMemoryCache<Answer>({
    max: healthRules.mostKept,
    lifetimeMs: healthRules.keptMs,
    clock,
  });
  let quietUntil = 0;
  let isOwnNews = false;

  events.followAll(({ kind }, chatId) => {
    // What the bot has heard makes the last answer old.
    if (!isOwnNews && (kind === 'health' || kind === 'upgraded')) {
      answers.forget(String(chatId));
    }
  });

  async function learn(bot: Telegram, chatId: number): Promise<Answer> {
    const now = clock();
    if (quietUntil > now) {
      return { quietUntil };
    }
    try {
      const status = await bot.readBotStatus(chatId);
      if (status.chatId !== chatId) {
        await upgrades.upgrade(chatId, status.chatId);
      }
      await store(status, now);
      return { status, checkedAt: now };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'telegram_unavailable') {
        throw error;
      }
      quietUntil = now + (error.retryAfterS ?? 0) * 1000;
      return { quietUntil };
    }
  }

  /** Others who look at the chat are told when something is different from what was known. */
  async function store(status: BotStatus, now: number): Promise<void> {
    const { chatId, isIn, mayDelete, isForum, title } = status;
    const known = await botChats.find(chatId);
    await botChats.save(chatId, { isIn, mayDelete, isForum, name: title }, now);
    const isNews =
      known !== undefined &&
      (known.isIn !== isIn || known.mayDelete !== mayDelete || known.isForum !== isForum);
    if (isNews) {
      isOwnNews = true;
      events.publish(chatId, { kind: 'health' });
      isOwnNews = false;
    }
  }

  return {
    /** Throws what `requireManager` throws, but says of a bot that is out of the chat just that. */
    async read(telegramId: number, askedId: number): Promise<ChatHealth> {
      const { chatId } = await access.requireKnown(askedId, telegramId);
      if (telegram === undefined) {
        return { ...nothing, bot: null, is_listening: false, checked_at: clock() };
      }
      const answer = await answers.get(String(chatId), () => learn(telegram, chatId));
      if ('quietUntil' in answer) {
        const retryAfterS = Math.ceil((answer.quietUntil - clock()) / 1000);
        throw new AppError('telegram_unavailable', retryAfterS > 0 ? { retryAfterS } : {});
      }
      const { bot, isIn, mayDelete, seesAll, isForum } = answer.status;
      return {
        bot,
        is_listening: env.botMode !== 'off',
        is_in: isIn,
        may_delete: mayDelete,
        sees_all: seesAll,
        is_forum: isForum,
        checked_at: answer.checkedAt,
      };
    },

    /**
     * Setting name → messages deleted. An hour counts when it began within the time: what is shown
     * never holds anything older, and lacks less than an hour at its far end.
     */
    async deletions(telegramId: number, askedId: number) {
      const chatId = await access.requireManager(askedId, telegramId, 'read');
      const now = clock();
      const [day, week] = await Promise.all([
        deletions.totals(chatId, now - dayMs),
        deletions.totals(chatId, now - 7 * dayMs),
      ]);
      return { day, week };
    },
  };
}

const nothing = { is_in: false, may_delete: false, sees_all: false, is_forum: false } as const;
