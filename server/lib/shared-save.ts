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

  async function writeAll(): Promise<void> {
    await last.catch(() => undefined);
    const pauseMs = lastBegan + everyMs - performance.now();
    // At least after the requests that have arrived by now.
    await new Promise((resolve) => {
      if (pauseMs > 0) {
        setTimeout(resolve, pauseMs);
      } else {
        setImmediate(resolve);
      }
    });
    lastBegan = performance.now();
    const gathered = new Map(waiting.map((item) => [key(item), item]));
    waiting = [];
    next = undefined;
    await write([...gathered.values()]);
  }

  return {
    async add(items) {
      if (items.length > 0) {
        waiting.push(...items);
        next ??= last = writeAll();
        await next;
      }
    },
    settled: () => last.catch(() => undefined),
  };
}
