/**
 * What deleting shows about the bot's rights: a refusal is saved and shown to the administrators of the
 * chat in Nori, and calls that Telegram refuses are not repeated again and again.
 */
import { type Dependencies } from '#server/app/dependencies';
import { createBotChatRepository, updateBotPlace } from '#server/db/bot-chats';
import { AppError } from '#server/lib/errors';
import { type Telegram } from '#server/upstream/telegram/telegram';
import { type ChatEvents } from '#services/chats';

/** How often one message is tried in a chat that refuses. Telegram does not report every new right. */
const tryEveryMs = 60_000;
/** When Telegram does not answer what the bot may do, and not when to ask again. */
const askAgainAfterS = 5;

/** `later`: Telegram does not say. */
type RightsCheck =
  | { readonly kind: 'yes' | 'no' }
  | { readonly kind: 'later'; readonly retryAfterS: number };

export type DeletionRights = ReturnType<typeof createDeletionRights>;

export function createDeletionRights(
  { database, telegram, clock, log }: Pick<Dependencies, 'database' | 'telegram' | 'clock' | 'log'>,
  events: ChatEvents,
) {
  const tryAgainAt = new Map<number, number>();
  const botChats = createBotChatRepository(database.db);

  /** Another process may have learnt that the bot has lost a right, too: that is no reason to try again. */
  async function tryAgainIfAllowed(chatId: number): Promise<void> {
    const place = await botChats.find(chatId).catch(() => undefined);
    if (place?.isIn === true && place.mayDelete) {
      tryAgainAt.delete(chatId);
    }
  }

  // Telegram has reported other rights. Our own event is published before the time is set again.
  events.followAll((event, chatId, isOwn) => {
    if (event.kind !== 'health' || !tryAgainAt.has(chatId)) {
      return;
    }
    if (isOwn) {
      tryAgainAt.delete(chatId);
    } else {
      void tryAgainIfAllowed(chatId);
    }
  });

  /** Telegram has refused: the bot lacks the right to delete, or is not in the chat. */
  async function lost(chatId: number, what: 'right' | 'place'): Promise<void> {
    const now = clock();
    const isNews = !tryAgainAt.has(chatId);
    tryAgainAt.set(chatId, now + tryEveryMs);
    const place = { chatId, ...(what === 'place' ? ({ isIn: false } as const) : {}) };
    if (!isNews) {
      await updateBotPlace(database.db, place, now);
      return;
    }
    await events.publishWith(chatId, { kind: 'health' }, (tx) => updateBotPlace(tx, place, now));
    tryAgainAt.set(chatId, now + tryEveryMs);
  }

  /** The bot may delete messages of others: it just has, or Telegram says so. */
  async function worked(chatId: number): Promise<void> {
    if (tryAgainAt.delete(chatId)) {
      await events.publishWith(chatId, { kind: 'health' }, (tx) =>
        updateBotPlace(tx, { chatId, mayDelete: true }, clock()),
      );
    }
  }

  return {
    /** `once` is one try after a refusal, `no` follows a refusal of less than a minute ago. */
    mayTry(chatId: number): 'yes' | 'once' | 'no' {
      const time = tryAgainAt.get(chatId);
      if (time === undefined) {
        return 'yes';
      }
      return time <= clock() ? 'once' : 'no';
    },

    lost,
    worked,

    /** Asks Telegram whether the bot may delete messages of others, and saves the answer. */
    async check(chatId: number): Promise<RightsCheck> {
      const answer = await readPlace(telegram, chatId).catch((error: unknown) => {
        log.warn({ chatId, err: error }, 'could not read the rights of the bot');
        return error instanceof AppError ? error : undefined;
      });
      if (typeof answer !== 'string') {
        return { kind: 'later', retryAfterS: answer?.retryAfterS ?? askAgainAfterS };
      }
      await (answer === 'may delete'
        ? worked(chatId)
        : lost(chatId, answer === 'absent' ? 'place' : 'right'));
      return { kind: answer === 'may delete' ? 'yes' : 'no' };
    },
  };
}

async function readPlace(
  telegram: Telegram | undefined,
  chatId: number,
): Promise<'may delete' | 'may not delete' | 'absent'> {
  try {
    const mayDelete = (await telegram?.mayDeleteMessages(chatId)) ?? false;
    return mayDelete ? 'may delete' : 'may not delete';
  } catch (error) {
    if (error instanceof AppError && error.code === 'bot_not_in_chat') {
      return 'absent';
    }
    throw error;
  }
}
