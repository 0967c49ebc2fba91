/** Turns: so many at the same time, the rest in the order in which they came. */
/** Gives the turn back. */
type Leave = () => void;

export type Turns = {
  /**
   * Resolves when it is one's turn. Throws the signal's reason when it is aborted first.
   */
  readonly enter: (key: string, signal: AbortSignal) => Promise<Leave>;
};

type Lane = { running: number; readonly waiting: (() => void)[] };

/** `most` at the same time for each key. */
export function createTurns(most: number): Turns {
  const lanes = new Map<string, Lane>();

  function laneOf(key: string): Lane {
    const lane = lanes.get(key) ?? { running: 0, waiting: [] };
    lanes.set(key, lane);
    return lane;
  }

  function leave(key: string, lane: Lane): void {
    // The place goes straight to the next in line, so that nobody slips in between.
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

  async function wait(lane: Lane, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const stop = () => {
        lane.waiting.splice(lane.waiting.indexOf(go), 1);
        reject(signal.reason);
      };
      lane.waiting.push(go);
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  return {
    enter: async (key, signal) => {
      signal.throwIfAborted();
      const lane = laneOf(key);
      if (lane.running < most) {
        lane.running += 1;
      } else {
        await wait(lane, signal);
      }
      return once(() => leave(key, lane));
    },
  };
}

/** Counts what is there, at most `most` for each key. */
export function createSeats(most: number): { readonly take: (key: string) => Leave | undefined } {
  const taken = new Map<string, number>();
  return {
    /** Undefined when there is no seat left. */
    take: (key) => {
      const count = taken.get(key) ?? 0;
      if (count >= most) {
        return undefined;
      }
      taken.set(key, count + 1);
      return once(() => {
        const left = (taken.get(key) ?? 1) - 1;
        if (left === 0) {
          taken.delete(key);
        } else {
          taken.set(key, left);
        }
      });
    },
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
