import { type Dependencies } from '#server/app/dependencies';
/** Counts deletions in memory and writes them down every second, so that none costs a write of its own. */
import { createDeletionRepository, type DeletionCount } from '#server/db/deletions';

const flushEveryMs = 1000;
const hourMs = 3_600_000;

export type DeletionCounts = {
  readonly add: (chatId: number, setting: string) => void;
  /** Writes down what was counted; never rejects. */
  readonly flush: () => Promise<void>;
  readonly start: () => void;
  /** Writes down the rest. */
  readonly stop: () => Promise<void>;
};

export function createDeletionCounts({
  database,
  clock,
  log,
}: Pick<Dependencies, 'database' | 'clock' | 'log'>): DeletionCounts {
  const stored = createDeletionRepository(database.db);
  let counts = new Map<string, DeletionCount>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function addUp({ chat_id, name, hour, total }: DeletionCount): void {
    const key = `${chat_id}:${name}:${hour}`;
    const before = counts.get(key)?.total ?? 0;
    counts.set(key, { chat_id, name, hour, total: before + total });
  }

  async function write(): Promise<void> {
    if (counts.size === 0) {
      return;
    }
    const counted = [...counts.values()];
    counts = new Map();
    try {
      await stored.add(counted);
    } catch (error) {
      log.error({ err: error }, 'deletions could not be counted');
      for (const count of counted) {
        addUp(count);
      }
    }
  }

  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  return {
    add(chatId, setting) {
      const now = clock();
      addUp({ chat_id: chatId, name: setting, hour: now - (now % hourMs), total: 1 });
    },
    flush,
    start: () => {
      timer = setInterval(() => void flush(), flushEveryMs);
      timer.unref();
    },
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}
