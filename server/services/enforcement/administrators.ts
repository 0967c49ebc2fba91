/**
 * Knows who may write what they like. Telegram is asked only about chats where a message would be
 * deleted, and its answer holds for a minute at most.
 *
 * While Telegram does not say who is an administrator nobody is taken for one, and nobody for none:
 * a message of theirs is neither deleted nor let go, but waits for the answer (due-deletions.ts). A
 * chat that the bot is not in, or where it may not even see who is there, has no answer to wait for.
 */
import { type Dependencies } from '#server/lib/dependencies';
import { AppError } from '#server/lib/errors';

import { type ChatEvents } from '../chat-events.ts';
import { type DeletionRights } from './rights.ts';

/** `out of reach`: the bot can delete nothing there, so that it does not matter. */
type Standing = 'administrator' | 'other' | 'unknown' | 'out of reach';

export type Administrators = {
  /** Rejects when the database fails. */
  readonly standing: (chatId: number, telegramId: number) => Promise<Standing>;
  /** Somebody has become an administrator or is none any more. */
  readonly forget: (chatId: number) => void;
};

const maxAgeMs = 60_000;
/** A Telegram that did not answer is left alone for this long, unless it says longer. */
const pauseMs = 5000;

type Answer = ReadonlySet<number> | 'unknown' | 'out of reach';
type List = { readonly answer: Promise<Answer>; validUntil: number };

/** What a refusal says about the bot; every other failure may be over soon. */
const losses: ReadonlyMap<unknown, 'right' | 'place'> = new Map([
  ['bot_cannot_delete', 'right'],
  ['bot_not_in_chat', 'place'],
]);

export function createAdministrators(
  { telegram, clock, log }: Pick<Dependencies, 'telegram' | 'clock' | 'log'>,
  { events, rights }: { readonly events: ChatEvents; readonly rights: DeletionRights },
): Administrators {
  const lists = new Map<number, List>();
  const outOfReach = new Set<number>();
  /** A flood is about the bot, not about the chat that was asked for. */
  let quietUntil = 0;

  async function read(chatId: number, list: () => List | undefined): Promise<Answer> {
    try {
      const answer = await telegram?.administrators(chatId);
      return answer === undefined
        ? 'unknown'
        : new Set(answer.administrators.map(({ telegramId }) => telegramId));
    } catch (error) {
      log.warn({ chatId, code: codeOf(error) }, 'administrators are unknown');
      const loss = losses.get(codeOf(error));
      if (loss !== undefined) {
        await giveUp(chatId, loss);
        return 'out of reach';
      }
      const waitMs = (error instanceof AppError ? (error.retryAfterS ?? 0) : 0) * 1000;
      quietUntil = Math.max(quietUntil, clock() + waitMs);
      const failed = list();
      if (failed !== undefined) {
        failed.validUntil = clock() + Math.max(pauseMs, waitMs);
      }
      return 'unknown';
    }
  }

  async function giveUp(chatId: number, loss: 'right' | 'place'): Promise<void> {
    try {
      await rights.lost(chatId, loss);
    } catch (error) {
      // What could not be stored is asked for again.
      lists.delete(chatId);
      throw error;
    }
    outOfReach.add(chatId);
  }

  function ask(chatId: number): List {
    if (quietUntil > clock()) {
      return { answer: Promise.resolve('unknown'), validUntil: quietUntil };
    }
    const list: List = {
      answer: Promise.resolve().then(() => read(chatId, () => list)),
      validUntil: clock() + maxAgeMs,
    };
    outOfReach.delete(chatId);
    lists.set(chatId, list);
    return list;
  }

  events.followAll(({ kind }, chatId) => {
    // After news of its rights the bot may see more than before.
    if (kind === 'upgraded' || (kind === 'health' && outOfReach.delete(chatId))) {
      lists.delete(chatId);
    }
  });

  return {
    async standing(chatId, telegramId) {
      const present = lists.get(chatId);
      const list = present === undefined || present.validUntil <= clock() ? ask(chatId) : present;
      const answer = await list.answer;
      if (typeof answer === 'string') {
        return answer;
      }
      return answer.has(telegramId) ? 'administrator' : 'other';
    },

    forget: (chatId) => void lists.delete(chatId),
  };
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : 'refused';
}
