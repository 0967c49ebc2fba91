/** How to wait for a service that works on a task: look now and then, and do not give up at the first hiccup. */
import { setTimeout as pause } from 'node:timers/promises';

import { asImageError, isPassing } from './image-errors.ts';

const secondMs = 1000;
/** Services ask not to be polled faster than the first pause; the next ones grow from it. */
const polling = { firstMs: 1500, growth: 1.3, longestMs: 6 * secondMs };
const afterFailure = { firstMs: 1500, growth: 2, longestMs: 30 * secondMs };
/** Failures in a row after which what is wrong will not pass. */
const mostFailures = 6;

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;
type Attempt<T> = (signal: AbortSignal) => Promise<T>;

/** `sleep` is the platform's own unless a test has no time for it. */
export function createPatience(
  sleep: Sleep = (ms, signal) => pause(ms, undefined, { signal, ref: false }),
) {
  /** Asks until it is answered, more and more slowly; what does not pass is thrown. */
  async function persist<T>(attempt: Attempt<T>, signal: AbortSignal): Promise<T> {
    let pauseMs = afterFailure.firstMs;
    for (let failures = 1; ; failures += 1) {
      try {
        // Each try depends on how the one before ended.
        return await attempt(signal);
      } catch (error) {
        if (signal.aborted || !isPassing(error) || failures >= mostFailures) {
          throw asImageError(error);
        }
      }
      await sleep(pauseMs, signal);
      pauseMs = Math.min(pauseMs * afterFailure.growth, afterFailure.longestMs);
    }
  }

  /** Looks at a task until there is something to answer. */
  async function untilDone<T>(look: Attempt<T | undefined>, signal: AbortSignal): Promise<T> {
    let pauseMs = polling.firstMs;
    for (;;) {
      // One look after the other.
      await sleep(pauseMs, signal);
      const found = await persist(look, signal);
      if (found !== undefined) {
        return found;
      }
      pauseMs = Math.min(pauseMs * polling.growth, polling.longestMs);
    }
  }

  return { persist, untilDone };
}

/** For a question that is asked once. */
export function throwImageError(error: unknown): never {
  throw asImageError(error);
}
