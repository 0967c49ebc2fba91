/**
 * Knows who may write what they like. Telegram is asked only about chats where a message would be
 * deleted, and its answer holds for a minute at most.
 *
 * While Telegram does not say who is an administrator nobody is taken for one, and nobody for none:
 * a message of theirs is neither deleted nor let go, but waits for the answer (due-deletions.ts).
 */
import { type Dependencies } from '#server/lib/dependencies';
import { AppError } from '#server/lib/errors';

import { type ChatEvents } from '../chat-events.ts';

type Standing = 'administrator' | 'other' | 'unknown';

export type Administrators = {
  readonly standing: (chatId: number, telegramId: number) => Promise<Standing>;
  /** Somebody has become an administrator or is none any more. */
  readonly forget: (chatId: number) => void;
};

const maxAgeMs = 60_000;
/** A Telegram that did not answer is left alone for this long, unless it says longer. */
const pauseMs = 5000;

type List = { readonly ids: Promise<ReadonlySet<number> | undefined>; validUntil: number };

export function createAdministrators(
  { telegram, clock, log }: Pick<Dependencies, 'telegram' | 'clock' | 'log'>,
  events: ChatEvents,
): Administrators {
  const lists = new Map<number, List>();

  async function read(chatId: number, list: () => List | undefined) {
    try {
      const answer = await telegram?.administrators(chatId);
      return answer && new Set(answer.administrators.map(({ telegramId }) => telegramId));
    } catch (error) {
      const waitS = error instanceof AppError ? error.retryAfterS : undefined;
      const failed = list();
      if (failed !== undefined) {
        failed.validUntil = clock() + Math.max(pauseMs, (waitS ?? 0) * 1000);
      }
      log.warn({ chatId, code: codeOf(error) }, 'administrators are unknown');
      return undefined;
    }
  }

  function ask(chatId: number): List {
    const list: List = {
      ids: Promise.resolve().then(() => read(chatId, () => list)),
      validUntil: clock() + maxAgeMs,
    };
    lists.set(chatId, list);
    return list;
  }

  events.followAll((event, chatId) => {
    if (event.kind === 'upgraded') {
      lists.delete(chatId);
    }
  });

  return {
    async standing(chatId, telegramId) {
      const present = lists.get(chatId);
      const list = present === undefined || present.validUntil <= clock() ? ask(chatId) : present;
      const ids = await list.ids;
      if (ids === undefined) {
        return 'unknown';
      }
      return ids.has(telegramId) ? 'administrator' : 'other';
    },

    forget: (chatId) => void lists.delete(chatId),
  };
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : 'refused';
}
