/** Reads what the bot may do in a chat, from Telegram, and how many messages it has deleted. */
import { type Right, rights } from '#contract/commands/command';
import { type ChatHealth } from '#contract/endpoints/chat-activity';
import { type Dependencies } from '#server/app/dependencies';
import { createBotChatRepository } from '#server/db/bot-chats';
import { isBotHandled } from '#server/db/bot-locks';
import { createDeletionRepository } from '#server/db/deletions';
import { createDueJobRepository, unknownReactionsJob } from '#server/db/due-jobs';
import { AppError } from '#server/lib/errors';
import { healthRules } from '#server/lib/limits';
import { createMemoryCache } from '#server/lib/memory-cache';
import { type BotStatus, type Telegram } from '#server/upstream/telegram/telegram';

import { type ChatAccess } from './access.ts';
import { type ChatEvents, type ChatUpgrades } from './events.ts';

type Tools = {
  readonly access: ChatAccess;
  readonly events: ChatEvents;
  readonly upgrades: ChatUpgrades;
};

/** What Telegram answered, or until when it must not be asked again after a failure. */
type Answer =
  | { readonly status: BotStatus; readonly checkedAt: number }
  | { readonly quietUntil: number };

const dayMs = 24 * 60 * 60_000;

/** How long it is not looked up again whether a process handles the bot … */
const listeningKnownMs = 3000;
/** … and how long it may take until another has taken over from one that ended. */
const takeOverMs = 10_000;

export function createChatHealth(
  { database, telegram, clock, env }: Dependencies,
  { access, events, upgrades }: Tools,
) {
  const { db } = database;
  const isListening = createListening({ database, clock, env });
  const deletions = createDeletionRepository(db);
  const jobs = createDueJobRepository(database);
  const answers = createMemoryCache<Answer>({
    max: healthRules.maxEntries,
    lifetimeMs: healthRules.keptMs,
    clock,
  });
  let quietUntil = 0;
  let isOwnEvent = false;
  const save = createStatusSave(db, events, (publishSaved) => {
    isOwnEvent = true;
    publishSaved();
    isOwnEvent = false;
  });

  events.followAll(({ kind }, chatId) => {
    // An update of the bot makes the cached answer outdated.
    if (!isOwnEvent && (kind === 'health' || kind === 'upgraded')) {
      answers.forget(String(chatId));
    }
  });

  async function readStatus(bot: Telegram, chatId: number): Promise<Answer> {
    const now = clock();
    if (quietUntil > now) {
      return { quietUntil };
    }
    try {
      const status = await bot.readBotStatus(chatId);
      if (status.chatId !== chatId) {
        await upgrades.upgrade(chatId, status.chatId);
      }
      await save(status, now);
      return { status, checkedAt: now };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'telegram_unavailable') {
        throw error;
      }
      quietUntil = now + (error.retryAfterS ?? 0) * 1000;
      return { quietUntil };
    }
  }

  return {
    /** Throws what `requireManager` throws, except that it returns the health of a bot that is out of the chat. */
    async read(telegramId: number, givenId: number): Promise<ChatHealth> {
      const { chatId } = await access.requireKnown(givenId, telegramId);
      if (telegram === undefined) {
        return { ...noBot, bot: null, is_listening: false, checked_at: clock() };
      }
      const answer = await answers.get(String(chatId), () => readStatus(telegram, chatId));
      if ('quietUntil' in answer) {
        const retryAfterS = Math.ceil((answer.quietUntil - clock()) / 1000);
        throw new AppError('telegram_unavailable', retryAfterS > 0 ? { retryAfterS } : {});
      }
      return {
        ...toWireStatus(answer.status),
        is_listening: await isListening(),
        reactions: (await jobs.find(unknownReactionsJob)) === undefined,
        checked_at: answer.checkedAt,
      };
    },

    /**
     * Setting name → messages deleted in the last day and week, at most; `exact` is the part without those
     * that others may have deleted. Counts are stored by the hour; an hour counts when it began within the
     * time.
     */
    async deletions(telegramId: number, givenId: number) {
      const chatId = await access.requireManager(givenId, telegramId, 'read');
      const now = clock();
      const [day, week] = await Promise.all([
        deletions.totals(chatId, now - dayMs),
        deletions.totals(chatId, now - 7 * dayMs),
      ]);
      return {
        day: day.atMost,
        week: week.atMost,
        exact: { day: day.exact, week: week.exact },
      };
    },
  };
}

/** Returns a function that tells whether any process handles the updates of the bot, also another than this one. */
function createListening({
  database,
  clock,
  env,
}: Pick<Dependencies, 'database' | 'clock' | 'env'>) {
  const botId = Number(env.botToken?.split(':')[0]);
  const cache = createMemoryCache<boolean>({ max: 1, lifetimeMs: listeningKnownMs, clock });
  let seenAt = -Infinity;

  return async (): Promise<boolean> => {
    if (database.engine === 'sqlite' || env.databaseDirectUrl === undefined) {
      return env.botMode !== 'off';
    }
    const isHandled = await cache.get('bot', () => isBotHandled(database, botId));
    if (isHandled) {
      seenAt = clock();
    }
    return isHandled || clock() - seenAt < takeOverMs;
  };
}

const noBot = {
  is_in: false,
  may_delete: false,
  sees_all: false,
  is_forum: false,
  rights: [],
  guard: false,
} satisfies Partial<ChatHealth>;

/** Returns a function that saves a status; when it has changed, `onChange` is to tell those who follow the chat. */
function createStatusSave(
  db: Dependencies['database']['db'],
  events: ChatEvents,
  onChange: (publishSaved: () => void) => void,
) {
  const botChats = createBotChatRepository(db);
  const noteRights = createRightsNote();

  return async (status: BotStatus, now: number): Promise<void> => {
    const { chatId, isIn, mayDelete, isForum, communityId, title } = status;
    const hasOtherRights = noteRights(status);
    const known = await botChats.find(chatId);
    const place = { isIn, mayDelete, isForum, communityId, name: title };
    const isChanged =
      known !== undefined &&
      (hasOtherRights ||
        known.isIn !== isIn ||
        known.mayDelete !== mayDelete ||
        known.isForum !== isForum);
    if (!isChanged) {
      await botChats.save(chatId, place, now);
      return;
    }
    const publishSaved = await db.transaction().execute(async (tx) => {
      await createBotChatRepository(tx).save(chatId, place, now);
      return events.save(tx, chatId, [{ kind: 'health' }]);
    });
    onChange(publishSaved);
  };
}

/**
 * Remembers what the bot could do in each chat when this process asked last. Returns a function that tells whether it
 * is something else now; of the chats that were asked about longest ago nothing is known.
 */
function createRightsNote() {
  const known = new Map<number, string>();
  return ({ chatId, rights: given }: BotStatus): boolean => {
    const names = listRights(given).join();
    const before = known.get(chatId);
    known.delete(chatId);
    known.set(chatId, names);
    const [oldest] = known.keys();
    if (known.size > healthRules.maxEntries && oldest !== undefined) {
      known.delete(oldest);
    }
    return before !== undefined && before !== names;
  };
}

function toWireStatus({
  bot,
  isIn,
  rights: given,
  mayDelete,
  seesAll,
  isForum,
  isGuard = false,
}: BotStatus) {
  return {
    bot,
    is_in: isIn,
    may_delete: mayDelete,
    sees_all: seesAll,
    is_forum: isForum,
    rights: listRights(given),
    guard: isGuard,
  };
}

/** In the order of our list, so that equal rights make equal lists. */
const listRights = (given: ReadonlySet<Right>) => rights.filter((right) => given.has(right));
