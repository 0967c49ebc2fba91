/** When the inbox writes which updates are handled, and when it looks for more. */
import { type Logger } from 'pino';

import { Unfinished } from '#server/lib/errors';
import { inboxRules } from '#server/lib/limits';
import { outsideRequests } from '#server/lib/request-context';

/** Handled updates are marked together, no more often than this. */
const markEveryMs = 50;
/** … or while the database fails. */
const tryAgainMs = 1000;
/** How often updates are looked for that no living process has … */
const lookEveryMs = 1000;
/** … and while one of this process waits for another. */
const lookSoonMs = 100;

/** Marks the first handled update at once, and further ones together. */
export function createMarks(write: (ids: readonly number[]) => Promise<void>, log: Logger) {
  let waiting: number[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function writeAll(): Promise<void> {
    const ids = waiting;
    waiting = [];
    let pauseMs = markEveryMs;
    try {
      await write(ids);
    } catch (error) {
      pauseMs = tryAgainMs;
      // Until they are marked, another process may handle them once more.
      log.warn({ err: error }, 'could not mark updates as handled; it is tried again');
      waiting.unshift(...ids);
    }
    timer = setTimeout(() => {
      timer = undefined;
      begin();
    }, pauseMs);
    timer.unref();
  }

  function begin(): void {
    if (timer === undefined && waiting.length > 0) {
      // Set until the pause after this write is over.
      timer = setTimeout(() => void (writing = writeAll()), 0);
    }
  }

  return {
    add: (id: number): void => {
      waiting.push(id);
      begin();
    },
    /** Writes the rest, once; never rejects. */
    settled: async (): Promise<void> => {
      await writing;
      clearTimeout(timer);
      if (waiting.length > 0) {
        await writeAll();
        clearTimeout(timer);
      }
    },
  };
}

/** Looks again and again; more often for a while after `soon`. */
export function createLooks(
  look: () => Promise<void>,
  { log, listen }: { readonly log: Logger; readonly listen: (onWake: () => void) => () => void },
) {
  let stopWaking: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStarted = false;
  let soonUntil = 0;
  let looking: Promise<void> = Promise.resolve();
  let isLooking = false;
  let isWantedAgain = false;

  function schedule(): void {
    clearTimeout(timer);
    if (isStarted) {
      const ms = performance.now() < soonUntil ? lookSoonMs : lookEveryMs;
      timer = setTimeout(begin, ms);
      timer.unref();
    }
  }

  function begin(): void {
    looking = outsideRequests(lookOnce);
  }

  async function lookOnce(): Promise<void> {
    isLooking = true;
    isWantedAgain = false;
    try {
      await look();
    } catch (error) {
      if (!(error instanceof Unfinished)) {
        log.warn({ err: error }, 'could not look for updates that wait');
      }
    }
    isLooking = false;
    if (isWantedAgain && isStarted) {
      begin();
    } else {
      schedule();
    }
  }

  function lookNow(): void {
    isWantedAgain = true;
    if (isStarted && !isLooking) {
      clearTimeout(timer);
      begin();
    }
  }

  return {
    start: (): void => {
      isStarted = true;
      stopWaking = listen(lookNow);
      schedule();
    },
    /** Looks at once, or once more after the look in progress. */
    now: lookNow,
    soon: (): void => {
      const isSoon = performance.now() < soonUntil;
      soonUntil = performance.now() + inboxRules.leaseMs * 2;
      if (!isSoon) {
        schedule();
      }
    },
    stop: (): Promise<void> => {
      isStarted = false;
      stopWaking?.();
      clearTimeout(timer);
      return looking;
    },
    /** Resolves when no look is in progress; never rejects. */
    settled: (): Promise<void> => looking,
  };
}
