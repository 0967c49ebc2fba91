/** Saves what comes at about the same time in one write. */

type Options<Item> = {
  /** Of several items with the same key the newest is written. */
  readonly key: (item: Item) => string | number;
  /** Gets at least one item. One write runs at a time. */
  readonly write: (items: readonly Item[]) => Promise<void>;
  /** A write begins at once, and the next so many milliseconds later at the earliest. */
  readonly everyMs?: number;
};

export type SharedSave<Item> = {
  /** Resolves when all of the items are saved; rejects when they are not. */
  readonly add: (items: readonly Item[]) => Promise<void>;
  /** Resolves when nothing is being written; never rejects. */
  readonly settled: () => Promise<void>;
  /** The same, but what waits is written without a pause: for who is about to read it. */
  readonly flushed: () => Promise<void>;
};

export function createSharedSave<Item>({
  key,
  write,
  everyMs = 0,
}: Options<Item>): SharedSave<Item> {
  let waiting: Item[] = [];
  let next: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  let lastBegan = -Infinity;
  let isWanted = false;
  let endPause: (() => void) | undefined;

  async function writeAll(): Promise<void> {
    await last.catch(() => undefined);
    const pauseMs = isWanted ? 0 : lastBegan + everyMs - performance.now();
    // At least after the requests that have arrived by now.
    await new Promise<void>((resolve) => {
      if (pauseMs > 0) {
        const timer = setTimeout(resolve, pauseMs);
        endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      } else {
        setImmediate(resolve);
      }
    });
    isWanted = false;
    lastBegan = performance.now();
    const gathered = new Map(waiting.map((item) => [key(item), item]));
    waiting = [];
    next = undefined;
    await write([...gathered.values()]);
  }

  const settled = () => last.catch(() => undefined);

  return {
    async add(items) {
      if (items.length > 0) {
        waiting.push(...items);
        next ??= last = writeAll();
        await next;
      }
    },
    settled,
    flushed() {
      if (next !== undefined) {
        isWanted = true;
        endPause?.();
      }
      return settled();
    },
  };
}
