/**
 * Receives updates by long polling. Telegram forgets what is before the offset of a call, so the offset never
 * passes an update that is still in progress: what a killed server had not finished arrives again. Meanwhile
 * later updates are fetched, as far as Telegram shows them (100 from the offset on). When all of these are
 * in progress, their deletions are saved to make room.
 */
import { type TelegramBot, updatesPerCall } from '#server/upstream/telegram/bot';
import { BotFailure } from '#server/upstream/telegram/calls';

import { type Retry } from './retry.ts';
import { type UpdateQueue } from './update-queue.ts';

/** How long the other updates of a batch wait for the slowest. */
const stragglerMs = 50;
/** The pause when Telegram shows nothing but updates in progress, so that it is not called without a break. */
const nothingNewMs = 250;

export type Polling = {
  /** Ends polling, waits for what is in progress, and confirms it to Telegram. */
  readonly stop: () => Promise<void>;
};

export function startPolling({
  api,
  queue,
  retry,
  makeRoom,
}: {
  readonly api: Pick<TelegramBot, 'updates' | 'confirm'>;
  readonly queue: UpdateQueue;
  readonly retry: Retry;
  /** Saves what is in progress as far as possible, so that it can be confirmed. */
  readonly makeRoom: () => Promise<void>;
}): Polling {
  const stopping = new AbortController();
  const { signal } = stopping;
  let lastId: number | undefined;

  /** Every update before this is handled. */
  const getOffset = () => queue.getFirstOpen() ?? (lastId === undefined ? undefined : lastId + 1);

  async function poll(): Promise<void> {
    const batch = await api.updates(getOffset(), signal);
    retry.reset();
    const fresh = batch.filter(({ update_id }) => !queue.isKnown(update_id));
    const handled = Promise.all(fresh.map((update) => queue.handle(update)));
    // After a week without updates Telegram goes on with a random id, so the last one counts, not the greatest.
    lastId = batch.at(-1)?.update_id ?? lastId;
    if (fresh.length > 0) {
      await waitAtMost(stragglerMs, handled);
    } else if (queue.getFirstOpen() !== undefined) {
      await waitAtMost(nothingNewMs, queue.settled());
    }
    if (batch.length === updatesPerCall && queue.getFirstOpen() !== undefined) {
      // Telegram shows the updates behind a full batch only when the offset moves on.
      await makeRoom();
      await new Promise(setImmediate);
    }
  }

  async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
    const isOver = new AbortController();
    await Promise.race([work, retry.pause(ms, isOver.signal)]);
    isOver.abort();
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        // One call after the other: Telegram allows only one.
        await poll();
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        await retry.pauseAfter(toBotFailure(error), signal);
      }
    }
  }

  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
      await queue.settled();
      const offset = getOffset();
      if (offset !== undefined) {
        // When this fails, the next start only receives the last updates once more.
        await api.confirm(offset).catch(() => undefined);
      }
    },
  };
}

/** No other errors are expected, but none must end the bot. */
function toBotFailure(error: unknown): BotFailure {
  return error instanceof BotFailure
    ? error
    : new BotFailure('unreachable', error instanceof Error ? error.message : String(error));
}
