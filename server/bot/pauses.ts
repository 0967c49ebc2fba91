/** How long the bot leaves Telegram alone after a failure, and what whoever runs it is told. */
import { type Logger } from 'pino';

import { type BotFailure } from '#server/upstream/telegram/errors';

import { botTexts } from './texts.ts';

const secondMs = 1000;
/** A net or a server that is away for a moment; doubled each time. */
const first = secondMs;
const longest = 30 * secondMs;
/** What only people can put right: it is tried now and then whether they have. */
const unauthorizedMs = 60 * secondMs;
const conflictMs = 10 * secondMs;

/** Resolves after so many milliseconds, or as soon as the signal is aborted; never rejects. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export type Pauses = {
  readonly pause: Pause;
  /** Waits as long as this failure wants, and says what is wrong when that is news. */
  readonly after: (failure: BotFailure, signal: AbortSignal) => Promise<void>;
  /** Telegram has answered: the next failure is the first again. */
  readonly allIsWell: () => void;
};

export function createPauses({
  pause,
  say,
  log,
}: {
  readonly pause: Pause;
  readonly say: (line: string) => void;
  readonly log: Logger;
}): Pauses {
  let failures = 0;
  let lastTrouble: BotFailure['trouble'] | undefined;

  function tell(failure: BotFailure): void {
    log.warn({ trouble: failure.trouble, reason: failure.message }, 'bot trouble');
    if (failure.trouble !== lastTrouble) {
      lastTrouble = failure.trouble;
      say(botTexts.troubles[failure.trouble](failure.message));
    }
  }

  return {
    pause,

    after: async (failure, signal) => {
      tell(failure);
      failures += 1;
      await pause(pauseMs(failure, failures), signal);
    },

    allIsWell: () => {
      if (lastTrouble !== undefined) {
        say(botTexts.wellAgain);
        log.info('bot works again');
      }
      failures = 0;
      lastTrouble = undefined;
    },
  };
}

function pauseMs({ trouble, retryAfterS }: BotFailure, failures: number): number {
  if (retryAfterS !== undefined) {
    return retryAfterS * secondMs;
  }
  if (trouble === 'unauthorized') {
    return unauthorizedMs;
  }
  return trouble === 'conflict' ? conflictMs : Math.min(first * 2 ** (failures - 1), longest);
}
