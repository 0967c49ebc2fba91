/** One process of several does what only one may: the one that has the lock. See docs/decisions/046. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger } from 'pino';

import { type LockSession } from '#server/db/bot-locks';
import { type Hold } from '#server/lib/holding';

/** How often the others look whether the lock is free. */
const lookEveryMs = 500;

/** What a process does while it has a lock. */
export type Term = {
  /** Begins nothing more; resolves when what was begun is done. */
  readonly stop: () => Promise<void>;
  /** The lock is lost, and another process may have it: begins nothing more, and waits for nothing. */
  readonly abandon: () => void;
};

export type Leadership = {
  readonly start: () => void;
  /** Resolves when what was begun is done and the lock is free. */
  readonly stop: () => Promise<void>;
};

/** Opens sessions again and again until `stop`, and has `work` done in each; it must resolve soon after the session ended. */
export function keepSession({
  open,
  work,
  log,
}: {
  readonly open: () => Promise<LockSession>;
  readonly work: (session: LockSession, stopping: AbortSignal) => Promise<void>;
  readonly log: Logger;
}): Leadership {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  async function workOnce(): Promise<void> {
    const session = await open();
    try {
      await work(session, stopping.signal);
    } finally {
      await session.close();
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await workOnce();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        log.warn({ reason }, 'could not keep the locks of the bot; it is tried again');
      }
      await pause(stopping.signal);
    }
  }

  return {
    start: () => {
      running ??= run();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Resolves with the abort; the listener is removed when `unless` resolves. */
function aborted(signal: AbortSignal, unless: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    }
    const listener = () => resolve();
    signal.addEventListener('abort', listener, { once: true });
    void unless.then(() => signal.removeEventListener('abort', listener));
  });
}

const pause = (signal: AbortSignal) =>
  sleep(lookEveryMs, undefined, { signal, ref: false }).catch(() => undefined);

/** Has `lead` called each time this process gets the lock of the leader. */
export function createLeadership({
  open,
  lead,
  log,
}: {
  readonly open: () => Promise<LockSession>;
  readonly lead: (hold: Hold) => Term;
  readonly log: Logger;
}): Leadership {
  async function work(session: LockSession, stopping: AbortSignal): Promise<void> {
    while (!(await session.tryLock('leader'))) {
      await pause(stopping);
      if (stopping.aborted) {
        return;
      }
    }
    log.info('this process leads the bot');
    const term = lead(session);
    await Promise.race([session.ended, aborted(stopping, session.ended)]);
    if (session.isHeld()) {
      await Promise.race([term.stop(), session.ended]);
    }
    if (!session.isHeld()) {
      log.warn('this process leads the bot no more');
      term.abandon();
    }
  }

  return keepSession({ open, work, log });
}
