/** Repeats what failed at Telegram after a pause, and tells the operator what is wrong. */
import { type Logger } from 'pino';

import { BotFailure } from '#server/upstream/telegram/calls';

import { operatorMessages } from './operator-messages.ts';

const secondMs = 1000;
/** While Telegram cannot be reached; doubled each time. */
const firstPauseMs = secondMs;
const maxPauseMs = 30 * secondMs;
/** What only the operator can put right is tried again now and then. */
const unauthorizedPauseMs = 60 * secondMs;
const conflictPauseMs = 10 * secondMs;

/** Resolves after so many milliseconds, or as soon as the signal is aborted; never rejects. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export type Retry = ReturnType<typeof createRetry>;

export function createRetry({
  pause,
  say,
  log,
}: {
  readonly pause: Pause;
  readonly say: (line: string) => void;
  readonly log: Logger;
}) {
  let failures = 0;
  let lastKind: BotFailure['kind'] | undefined;

  /** Waits as long as this failure requires. Tells the operator when it is another kind than the last. */
  async function pauseAfter(failure: BotFailure, signal: AbortSignal): Promise<void> {
    const { kind, message } = failure;
    log.warn({ kind, reason: message }, 'Telegram failed');
    if (kind !== lastKind) {
      lastKind = kind;
      say(operatorMessages.failures[kind](message));
    }
    failures += 1;
    await pause(getPauseMs(failure, failures), signal);
  }

  /** To be called when Telegram has answered: the next failure is the first again. */
  function reset(): void {
    if (lastKind !== undefined) {
      say(operatorMessages.worksAgain);
      log.info('Telegram works again');
    }
    failures = 0;
    lastKind = undefined;
  }

  return {
    pause,
    pauseAfter,
    reset,
    /** Tries until it works. Throws when the signal is aborted, and errors that are no `BotFailure`. */
    untilDone: async <T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> => {
      for (;;) {
        signal.throwIfAborted();
        try {
          const done = await attempt();
          reset();
          return done;
        } catch (error) {
          if (!(error instanceof BotFailure)) {
            throw error;
          }
          // The next attempt depends on how this one ended.
          await pauseAfter(error, signal);
        }
      }
    },
  };
}

function getPauseMs({ kind, retryAfterS }: BotFailure, failures: number): number {
  if (retryAfterS !== undefined) {
    return retryAfterS * secondMs;
  }
  if (kind === 'unauthorized') {
    return unauthorizedPauseMs;
  }
  return kind === 'conflict'
    ? conflictPauseMs
    : Math.min(firstPauseMs * 2 ** (failures - 1), maxPauseMs);
}
