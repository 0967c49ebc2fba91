/**
 * Counts what happens in chats, in memory, and saves the counts every second, so that nothing that is counted costs a
 * write of its own. Best effort: a process that is killed loses what it has not saved.
 */
import { type NumberName } from '#contract/chats/numbers';
import { readValue } from '#contract/chats/values';
import { type Dependencies } from '#server/app/dependencies';
import { attackName, type ChatNumber, createChatNumberRepository } from '#server/db/chat-numbers';
import { wholeChatId } from '#server/db/chat-values';
import { type ChatValueService } from '#services/chats';

const saveEveryMs = 1000;
const hourMs = 3_600_000;

type Counted = {
  /** Where it was; the whole chat without it. */
  readonly topicId?: number | undefined;
  /** Once without it. */
  readonly times?: number | undefined;
};

export type ChatNumbers = ReturnType<typeof createChatNumbers>;

export function createChatNumbers(
  { database, clock, log }: Pick<Dependencies, 'database' | 'clock' | 'log'>,
  values: Pick<ChatValueService, 'readForBot'>,
) {
  const repository = createChatNumberRepository(database.db);
  const reading = new Set<Promise<void>>();
  let numbers = new Map<string, ChatNumber>();
  let timer: NodeJS.Timeout | undefined;
  let saving: Promise<void> = Promise.resolve();

  function add(number: ChatNumber): void {
    const key = `${number.chatId}:${number.topicId}:${number.hour}:${number.name}`;
    numbers.set(key, { ...number, count: number.count + (numbers.get(key)?.count ?? 0) });
  }

  /** When the attack began that is going on at a time; undefined where there is none, or it cannot be read. */
  async function findAttack(chatId: number, at: number): Promise<number | undefined> {
    try {
      const stored = (await values.readForBot(chatId)).get(wholeChatId);
      const attack = readValue(Object.fromEntries(stored ?? []), 'attack');
      return attack !== undefined && attack.since <= at && at < attack.until
        ? attack.since
        : undefined;
    } catch (error) {
      log.warn({ chatId, err: error }, 'could not read whether a chat is under attack');
      return undefined;
    }
  }

  async function addForAttack(number: ChatNumber, at: number): Promise<void> {
    const since = await findAttack(number.chatId, at);
    if (since !== undefined) {
      add({ ...number, name: attackName(number.name), hour: since });
    }
  }

  async function saveNow(): Promise<void> {
    await Promise.all(reading);
    if (numbers.size === 0) {
      return;
    }
    const counted = [...numbers.values()];
    numbers = new Map();
    try {
      await repository.add(counted);
    } catch (error) {
      log.error({ err: error }, 'could not save the numbers of chats');
      counted.forEach(add);
    }
  }

  /** Saves what was counted; never rejects. */
  function save(): Promise<void> {
    saving = saving.then(saveNow);
    return saving;
  }

  return {
    /** Never throws, and delays nothing. While the chat is under attack it is counted for the attack, too. */
    count(chatId: number, name: NumberName, { topicId, times = 1 }: Counted = {}): void {
      const at = clock();
      const number = { chatId, topicId: topicId ?? wholeChatId, name, count: times };
      add({ ...number, hour: at - (at % hourMs) });
      const adding = addForAttack({ ...number, hour: 0 }, at);
      reading.add(adding);
      void adding.then(() => reading.delete(adding));
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
