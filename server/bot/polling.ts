/**
 * Receives updates by long polling. Telegram forgets what is before the offset of a call. Updates are saved
 * before the offset moves on, and handled afterwards, so that no poll waits for the handling: asked for the
 * same offset twice in a row, Telegram shows one update only.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { type TelegramBot, updatesPerCall } from '#server/upstream/telegram/bot';
import { BotFailure } from '#server/upstream/telegram/calls';

import { type Inbox } from './inbox.ts';
import { type Retry } from './retry.ts';
import { type UntilStored } from './update-queue.ts';

/** Polls begin no more often than this, because each batch costs a write to the disk. Quiet times have long polls. */
const gatherMs = 10;

export type Polling = {
  /** Ends polling, and confirms to Telegram what is saved. */
  readonly stop: () => Promise<void>;
};

export function startPolling({
  api,
  inbox,
  retry,
  untilStored,
}: {
  readonly api: Pick<TelegramBot, 'updates' | 'confirm'>;
  readonly inbox: Pick<Inbox, 'add' | 'room'>;
  readonly retry: Retry;
  /** Must repeat after every error. */
  readonly untilStored: UntilStored;
}): Polling {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Every update before this is saved. */
  let offset: number | undefined;
  let confirmed: number | undefined;

  async function poll(): Promise<void> {
    await inbox.room(signal);
    signal.throwIfAborted();
    confirmed = offset;
    const startedAt = performance.now();
    const batch = await api.updates(offset, signal);
    retry.reset();
    await untilStored(() => inbox.add(batch));
    const last = batch.at(-1);
    // After a week without updates Telegram goes on with a random id, so the last one counts, not the greatest.
    offset = last === undefined ? offset : last.update_id + 1;
    if (batch.length < updatesPerCall) {
      const restMs = gatherMs - (performance.now() - startedAt);
      await (restMs > 0 ? sleep(restMs, undefined, { signal }) : undefined);
    }
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
      if (offset !== undefined && offset !== confirmed) {
        // When this fails, the next start receives the last updates once more, and skips them.
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
