/** Counts deletions in memory and saves the counts every second, so that no deletion costs a write of its own. */
import { type Dependencies } from '#server/app/dependencies';
import { createDeletionRepository, type DeletionCount } from '#server/db/deletions';

const saveEveryMs = 1000;
const hourMs = 3_600_000;

export type DeletionCounts = ReturnType<typeof createDeletionCounts>;

export function createDeletionCounts({
  database,
  clock,
  log,
}: Pick<Dependencies, 'database' | 'clock' | 'log'>) {
  const repository = createDeletionRepository(database.db);
  let counts = new Map<string, DeletionCount>();
  let timer: NodeJS.Timeout | undefined;
  let saving: Promise<void> = Promise.resolve();

  function add(count: DeletionCount): void {
    const key = `${count.chat_id}:${count.name}:${count.hour}`;
    const { total = 0, uncertain = 0 } = counts.get(key) ?? {};
    counts.set(key, {
      ...count,
      total: count.total + total,
      uncertain: count.uncertain + uncertain,
    });
  }

  async function saveNow(): Promise<void> {
    if (counts.size === 0) {
      return;
    }
    const counted = [...counts.values()];
    counts = new Map();
    try {
      await repository.add(counted);
    } catch (error) {
      log.error({ err: error }, 'could not save the number of deletions');
      for (const count of counted) {
        add(count);
      }
    }
  }

  /** Saves what was counted; never rejects. */
  function save(): Promise<void> {
    saving = saving.then(saveNow);
    return saving;
  }

  return {
    /** `isCertain`: no other than the bot can have deleted the message. */
    add: (chatId: number, setting: string, isCertain: boolean): void => {
      const now = clock();
      add({
        chat_id: chatId,
        name: setting,
        hour: now - (now % hourMs),
        total: 1,
        uncertain: isCertain ? 0 : 1,
      });
    },
    save,
    start: (): void => {
      timer = setInterval(() => void save(), saveEveryMs);
      timer.unref();
    },
    /** Saves the rest. */
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await save();
    },
  };
}
