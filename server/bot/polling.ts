/**
 * Fetches updates by long polling. Asking from an offset on makes Telegram forget what is before it,
 * so the offset never passes an update that is still being worked on: what a killed server had not
 * finished arrives again. Updates behind a slow one are fetched and worked off meanwhile, as far as
 * Telegram shows them (100 from the offset on); when these are all there are, room is made.
 */
import { type TelegramBot, updatesPerCall } from '#server/upstream/telegram/bot';
import { BotFailure } from '#server/upstream/telegram/errors';

import { type Pauses } from './pauses.ts';
import { type UpdateQueue } from './update-queue.ts';

/** How long the other updates of a batch wait for the slowest. */
const stragglerMs = 50;
/** How long it waits when Telegram shows nothing but what is under way: it would be asked without a break. */
const nothingNewMs = 250;

export type Polling = {
  /** Ends asking, waits for what is under way, and tells Telegram how far it came. */
  readonly stop: () => Promise<void>;
};

export function startPolling({
  api,
  queue,
  pauses,
  makeRoom,
}: {
  readonly api: Pick<TelegramBot, 'updates' | 'confirm'>;
  readonly queue: UpdateQueue;
  readonly pauses: Pauses;
  /** Writes down what is under way as far as that is possible, so that it may be confirmed. */
  readonly makeRoom: () => Promise<void>;
}): Polling {
  const stopping = new AbortController();
  const { signal } = stopping;
  let highest: number | undefined;

  /** Everything before this is worked off. */
  const offset = () => queue.firstOpen() ?? (highest === undefined ? undefined : highest + 1);

  async function round(): Promise<void> {
    const batch = await api.updates(offset(), signal);
    pauses.allIsWell();
    const fresh = batch.filter(({ update_id }) => !queue.isKnown(update_id));
    const handled = Promise.all(fresh.map((update) => queue.take(update)));
    // Ids begin anew at random after a quiet week, so that the last one counts and not the greatest.
    highest = batch.at(-1)?.update_id ?? highest;
    if (fresh.length > 0) {
      await atMost(stragglerMs, handled);
    } else if (queue.firstOpen() !== undefined) {
      await atMost(nothingNewMs, queue.settled());
    }
    if (batch.length === updatesPerCall && queue.firstOpen() !== undefined) {
      // What waits behind a full window is not shown before the window moves on.
      await makeRoom();
      await new Promise(setImmediate);
    }
  }

  async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
    const isOver = new AbortController();
    await Promise.race([work, pauses.pause(ms, isOver.signal)]);
    isOver.abort();
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        // One call after the other: Telegram allows only one.
        await round();
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        await pauses.after(asFailure(error), signal);
      }
    }
  }

  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
      await queue.settled();
      const reached = offset();
      if (reached !== undefined) {
        // Unheard, it only means that the next start sees the last updates once more.
        await api.confirm(reached).catch(() => undefined);
      }
    },
  };
}

/** Nothing else is expected; whatever it is, it must not end the bot. */
function asFailure(error: unknown): BotFailure {
  return error instanceof BotFailure
    ? error
    : new BotFailure('unreachable', error instanceof Error ? error.message : String(error));
}
