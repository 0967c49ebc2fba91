/** Keeps the newest results of costly work in memory, and has work that many ask for at once done once. */

type Rules<Result> = {
  /** How much there may be in all, and how much of it one result is. */
  readonly max: number;
  readonly sizeOf: (result: Result) => number;
  readonly lifetimeMs: number;
  readonly clock: () => number;
};

export type Kept<Result> = {
  /** The kept result, or that of `work`. A failure is not kept. */
  readonly get: (key: string, work: () => Promise<Result>) => Promise<Result>;
  /** The result is no longer true, nor is one that is being worked out right now. */
  readonly forget: (key: string) => void;
};

export function createKept<Result>({
  max,
  sizeOf,
  lifetimeMs,
  clock,
}: Rules<Result>): Kept<Result> {
  const kept = new Map<string, { readonly result: Result; readonly until: number }>();
  const running = new Map<string, Promise<Result>>();
  let size = 0;

  function forget(key: string): void {
    const entry = kept.get(key);
    if (entry && kept.delete(key)) {
      size -= sizeOf(entry.result);
    }
  }

  function keep(key: string, result: Result): void {
    forget(key);
    kept.set(key, { result, until: clock() + lifetimeMs });
    size += sizeOf(result);
    // A map gives its keys in the order they were put in: the oldest first.
    for (const oldest of kept.keys()) {
      if (size <= max) {
        return;
      }
      forget(oldest);
    }
  }

  function start(key: string, work: () => Promise<Result>): Promise<Result> {
    const under: Promise<Result> = finish(key, work, () => running.get(key) === under).finally(
      () => {
        if (running.get(key) === under) {
          running.delete(key);
        }
      },
    );
    running.set(key, under);
    return under;
  }

  async function finish(key: string, work: () => Promise<Result>, isWanted: () => boolean) {
    const result = await work();
    if (isWanted()) {
      keep(key, result);
    }
    return result;
  }

  return {
    get: async (key, work) => {
      const found = kept.get(key);
      if (found && found.until > clock()) {
        // Put in again, as it is used.
        kept.delete(key);
        kept.set(key, found);
        return found.result;
      }
      return running.get(key) ?? start(key, work);
    },
    forget: (key) => {
      forget(key);
      running.delete(key);
    },
  };
}
