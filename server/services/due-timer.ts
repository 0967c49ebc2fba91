/** Has what is due done by the one process that may: it wakes in time, also when another process has saved something. */
import { type Dependencies } from '#server/app/dependencies';
import { alwaysHeld, withHold } from '#server/lib/holding';
import { createWakeTimer } from '#server/lib/wake-timer';

type DueWork = {
  /** Named in the log. */
  readonly what: string;
  /** Begins what is due; never rejects. */
  readonly begin: () => Promise<unknown>;
  /** Resolves when nothing is in progress. */
  readonly settled: () => Promise<void>;
  /** Keeps what is in progress; never rejects. */
  readonly renew: () => Promise<void>;
  readonly renewEveryMs: number;
  readonly rows: {
    readonly readNextDueAt: () => Promise<number | undefined>;
    /** Ends all leases. */
    readonly releaseAll: () => Promise<void>;
  };
};

export function createDueTimer(
  { database: { notifications }, clock, log }: Pick<Dependencies, 'database' | 'clock' | 'log'>,
  { what, begin, settled, renew, renewEveryMs, rows }: DueWork,
) {
  let hold = alwaysHeld;
  let stopWaking: (() => void) | undefined;
  let renewing: NodeJS.Timeout | undefined;
  let starting: Promise<void> | undefined;
  const timer = createWakeTimer(clock, async () => {
    await withHold(hold, begin);
    return rows.readNextDueAt().catch(() => undefined);
  });

  async function startTimer(): Promise<void> {
    // No other process may do it, so the rows that an earlier one has begun are free.
    await rows.releaseAll().catch((error: unknown) => {
      log.warn({ err: error }, `could not free the ${what} of the previous start`);
    });
    if (stopWaking !== undefined) {
      timer.start();
    }
  }

  function stopTimer(): void {
    stopWaking?.();
    stopWaking = undefined;
    timer.stop();
  }

  return {
    /** To be called when something was saved that is due at this time. */
    wakeBy: (time: number): void => {
      timer.wakeBy(time);
      if (stopWaking === undefined) {
        // Another process does it.
        notifications.notify('jobs');
      }
    },
    /** Does what becomes due under this lock, until `stop` or `abandon`. No other process may do so. */
    start: (lock = alwaysHeld): void => {
      hold = lock;
      stopWaking = notifications.listen('jobs', () => timer.wakeBy(clock()));
      starting = startTimer();
      renewing = setInterval(() => void renew(), renewEveryMs).unref();
    },
    /** Resolves when nothing is in progress. */
    stop: async (): Promise<void> => {
      await starting;
      stopTimer();
      await settled();
      clearInterval(renewing);
    },
    /** The lock is lost. */
    abandon: (): void => {
      stopTimer();
      clearInterval(renewing);
    },
  };
}
