/** What is kept in memory: bounded maps, and results of costly work, which is not started again while it is under way. */

/** A map of at most so many entries: those that were used least recently go. */
export function createBoundedMap<Key, Value>(max: number) {
  const entries = new Map<Key, Value>();

  function set(key: Key, value: Value): void {
    entries.delete(key);
    entries.set(key, value);
    const [oldest] = entries.keys();
    if (entries.size > max && oldest !== undefined) {
      entries.delete(oldest);
    }
  }

  return {
    set,
    get: (key: Key): Value | undefined => {
      const value = entries.get(key);
      if (value !== undefined) {
        set(key, value);
      }
      return value;
    },
    delete: (key: Key): void => void entries.delete(key),
  };
}

type Rules<Result> = {
  /** The sum of all sizes at which the least recently used results go. */
  readonly max: number;
  /** 1 for each result when absent, so that `max` is a number of results. */
  readonly getSize?: (result: Result) => number;
  readonly lifetimeMs: number;
  readonly clock: () => number;
};

export type MemoryCache<Result> = {
  /** The cached result, or that of `work`. A failure is not cached. */
  readonly get: (key: string, work: () => Promise<Result>) => Promise<Result>;
  /** Drops the result, and the one of the work that is under way. */
  readonly forget: (key: string) => void;
};

export function createMemoryCache<Result>({
  max,
  getSize = () => 1,
  lifetimeMs,
  clock,
}: Rules<Result>): MemoryCache<Result> {
  const cached = new Map<string, { readonly result: Result; readonly until: number }>();
  const running = new Map<string, Promise<Result>>();
  let size = 0;

  function remove(key: string): void {
    const entry = cached.get(key);
    if (entry && cached.delete(key)) {
      size -= getSize(entry.result);
    }
  }

  function add(key: string, result: Result): void {
    remove(key);
    cached.set(key, { result, until: clock() + lifetimeMs });
    size += getSize(result);
    // A map returns its keys in the order of insertion: the least recently used first.
    for (const oldest of cached.keys()) {
      if (size <= max) {
        return;
      }
      remove(oldest);
    }
  }

  async function run(key: string, work: () => Promise<Result>): Promise<Result> {
    const promise = work();
    running.set(key, promise);
    // `forget` may be called, and newer work begin, before this ends.
    const isCurrent = () => running.get(key) === promise;
    try {
      const result = await promise;
      if (isCurrent()) {
        add(key, result);
      }
      return result;
    } finally {
      if (isCurrent()) {
        running.delete(key);
      }
    }
  }

  return {
    get: async (key, work) => {
      const found = cached.get(key);
      if (found && found.until > clock()) {
        // Inserted again, as it was just used.
        cached.delete(key);
        cached.set(key, found);
        return found.result;
      }
      return running.get(key) ?? run(key, work);
    },
    forget: (key) => {
      remove(key);
      running.delete(key);
    },
  };
}
