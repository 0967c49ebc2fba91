/** Does again what the database could not take: an update that counts as done does not come again. */
import { type Logger } from 'pino';

import { isDatabaseAway } from '#server/db/failures';

import { type Pause } from './pauses.ts';
import { Unfinished } from './update-queue.ts';

const firstPauseMs = 250;
const longestPauseMs = 15_000;

/** Throws what `work` throws for other reasons, and `Unfinished` when the bot is stopped meanwhile. */
export type UntilStored = <T>(work: () => Promise<T>) => Promise<T>;

export function createUntilStored({
  pause,
  signal,
  log,
}: {
  readonly pause: Pause;
  readonly signal: AbortSignal;
  readonly log: Logger;
}): UntilStored {
  return async (work) => {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        return await work();
      } catch (error) {
        if (!isDatabaseAway(error)) {
          throw error;
        }
        const reason = error instanceof Error ? error.message : String(error);
        log.warn({ reason }, 'the database does not take an update; it is tried again');
      }
      await pause(pauseMs, signal);
      if (signal.aborted) {
        throw new Unfinished();
      }
    }
  };
}
