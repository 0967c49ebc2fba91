/** Limits how much happens at the same time. */

/** Frees the place. Further calls do nothing. */
type Release = () => void;

export type KeyedSemaphore = {
  /** Resolves when a place of the key is free; first come, first served. Rejects with the signal's reason. */
  readonly acquire: (key: string, signal?: AbortSignal) => Promise<Release>;
};

type Lane = { running: number; readonly waiting: (() => void)[] };

/** `max` holders at the same time for each key; the others wait. */
export function createKeyedSemaphore(max: number): KeyedSemaphore {
  const lanes = new Map<string, Lane>();

  function release(key: string, lane: Lane): void {
    // The place goes straight to the next in line, so that a newcomer cannot take it first.
    const next = lane.waiting.shift();
    if (next) {
      next();
      return;
    }
    lane.running -= 1;
    if (lane.running === 0) {
      lanes.delete(key);
    }
  }

  async function wait(lane: Lane, signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const stop = () => {
        lane.waiting.splice(lane.waiting.indexOf(start), 1);
        reject(signal?.reason);
      };
      lane.waiting.push(start);
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  return {
    acquire: async (key, signal) => {
      signal?.throwIfAborted();
      const lane = lanes.get(key) ?? { running: 0, waiting: [] };
      lanes.set(key, lane);
      if (lane.running < max) {
        lane.running += 1;
      } else {
        await wait(lane, signal);
      }
      return once(() => release(key, lane));
    },
  };
}

/** At most `max` slots for each key. `take` returns undefined when fewer than `amount` (default 1) are left. */
export function createSlotLimiter(max: number): {
  readonly take: (key: string, amount?: number) => Release | undefined;
} {
  const taken = new Map<string, number>();
  return {
    take: (key, amount = 1) => {
      const count = taken.get(key) ?? 0;
      if (count + amount > max) {
        return undefined;
      }
      taken.set(key, count + amount);
      return once(() => {
        const left = (taken.get(key) ?? amount) - amount;
        if (left === 0) {
          taken.delete(key);
        } else {
          taken.set(key, left);
        }
      });
    },
  };
}

/**
 * Returns a function that runs `run`, one run at a time: calls during a run lead to one more. What it returns resolves
 * when nothing runs, and rejects when the last run has.
 */
export function createRepeater(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isWanted = false;

  async function runAll(): Promise<void> {
    try {
      do {
        isWanted = false;
        await run();
      } while (isWanted);
    } finally {
      running = undefined;
    }
  }

  return () => {
    isWanted = true;
    running ??= runAll();
    return running;
  };
}

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) {
      isDone = true;
      run();
    }
  };
}
