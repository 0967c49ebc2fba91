/** Repeats requests to an image service: after temporary failures, and until a task is done. */
import { setTimeout as pause } from 'node:timers/promises';

import { isTemporary, toImageError } from './image-errors.ts';

/** Services ask clients not to poll faster than `firstMs`. */
const polling = { firstMs: 1500, growth: 1.3, maxMs: 6000 };
const afterFailure = { firstMs: 1500, growth: 2, maxMs: 30_000 };
const maxFailuresInARow = 6;

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;
type Attempt<T> = (signal: AbortSignal) => Promise<T>;

/** Tests replace `sleep`. */
export function createRetry(
  sleep: Sleep = (ms, signal) => pause(ms, undefined, { signal, ref: false }),
) {
  /** Repeats an attempt after temporary failures, with growing pauses. Throws other failures. */
  async function retry<T>(attempt: Attempt<T>, signal: AbortSignal): Promise<T> {
    let pauseMs = afterFailure.firstMs;
    for (let failures = 1; ; failures += 1) {
      try {
        return await attempt(signal);
      } catch (error) {
        if (signal.aborted || !isTemporary(error) || failures >= maxFailuresInARow) {
          throw toImageError(error);
        }
      }
      await sleep(pauseMs, signal);
      pauseMs = Math.min(pauseMs * afterFailure.growth, afterFailure.maxMs);
    }
  }

  /** Repeats an attempt until it returns a result. */
  async function pollUntilDone<T>(attempt: Attempt<T | undefined>, signal: AbortSignal) {
    let pauseMs = polling.firstMs;
    for (;;) {
      await sleep(pauseMs, signal);
      const result = await retry(attempt, signal);
      if (result !== undefined) {
        return result;
      }
      pauseMs = Math.min(pauseMs * polling.growth, polling.maxMs);
    }
  }

  return { retry, pollUntilDone };
}
