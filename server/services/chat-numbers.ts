/**
 * Counts what happens in chats, in memory, and saves the counts every second, so that nothing that is counted costs a
 * write of its own. Best effort: a process that is killed loses what it has not saved.
 */
import { deletedPrefix, type NumberName, readDeletedName } from '#contract/chats/numbers';
import { isAttackOn, readValue } from '#contract/chats/values';
import { allDeleted, type ChatNumbers as ReadNumbers } from '#contract/endpoints/chat-numbers';
import { type Dependencies } from '#server/app/dependencies';
import {
  attackName,
  type ChatNumber,
  createChatNumberRepository,
  type DayNumber,
} from '#server/db/chat-numbers';
import { wholeChatId } from '#server/db/chat-values';
import { numberRules } from '#server/lib/limits';
import { type ChatAccess, type ChatValueService } from '#services/chats';

const saveEveryMs = 1000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Topics in which messages were deleted; those with the most are listed. */
const maxTopics = 50;

type Counted = {
  /** Where it was; the whole chat without it. */
  readonly topicId?: number | undefined;
  /** Once without it. */
  readonly times?: number | undefined;
};

type Tools = {
  readonly chatValues: Pick<ChatValueService, 'readForBot'>;
  readonly chatAccess: Pick<ChatAccess, 'requireManager'>;
};

/** `offset`: minutes from UTC. */
type Span = { readonly days: number; readonly offset?: number | undefined };

export type ChatNumbers = ReturnType<typeof createChatNumbers>;

export function createChatNumbers(
  { database, clock, log }: Pick<Dependencies, 'database' | 'clock' | 'log'>,
  { chatValues: values, chatAccess: access }: Tools,
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

  async function addForAttack(number: ChatNumber, at: number): Promise<void> {
    try {
      const attack = await readAttack(values, number.chatId);
      if (attack !== undefined && isAttackOn(attack, at)) {
        add({ ...number, name: attackName(number.name), hour: attack.since });
      }
    } catch (error) {
      log.warn({ err: error }, 'could not read whether a chat is under attack');
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
    /** The last days until now, in the time of the reader. Throws what `requireManager` throws. */
    async read(telegramId: number, givenId: number, span: Span): Promise<ReadNumbers> {
      const chatId = await access.requireManager(givenId, telegramId, 'read');
      await save();
      const now = clock();
      const since = startDay(now, span) - (span.days - 1) * dayMs;
      const [current, days, topics, latest] = await Promise.all([
        readAttack(values, chatId),
        repository.listDays(chatId, { since, offsetMs: toOffsetMs(span) }),
        repository.listTopics(chatId, { since, prefix: deletedPrefix, limit: maxTopics }),
        repository.findLatestAttack(chatId, now - numberRules.keptMs),
      ]);
      const began = current?.since ?? latest;
      return {
        from: sayDay(since, span),
        days: fillDays(days, since, span),
        deletions: {
          by_type: sumTypes(days),
          by_topic: topics.map(({ topicId, count }) => ({ topic_id: topicId, count })),
        },
        attack:
          began === undefined
            ? null
            : {
                since: began,
                until: current?.until ?? null,
                counts: sumNames(await repository.listAttack(chatId, began)),
              },
      };
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

/** The attack that is set, also when its time is over. */
async function readAttack(values: Tools['chatValues'], chatId: number) {
  const stored = (await values.readForBot(chatId)).get(wholeChatId);
  return readValue(Object.fromEntries(stored ?? []), 'attack');
}

const toOffsetMs = ({ offset = 0 }: Span) => offset * 60_000;

/** When the reader's day began that a time is in. */
function startDay(time: number, span: Span): number {
  const local = time + toOffsetMs(span);
  return local - (local % dayMs) - toOffsetMs(span);
}

const sayDay = (startsAt: number, span: Span) =>
  new Date(startsAt + toOffsetMs(span)).toISOString().slice(0, 10);

/** Name → how often; what was deleted is one number for all settings. */
function sumNames(counted: Iterable<readonly [name: string, count: number]>) {
  const sums: Record<string, number> = {};
  for (const [name, count] of counted) {
    const known = readDeletedName(name) === undefined ? name : allDeleted;
    sums[known] = (sums[known] ?? 0) + count;
  }
  return sums;
}

function fillDays(numbers: readonly DayNumber[], since: number, span: Span) {
  const byDay = Map.groupBy(numbers, ({ startsAt }) => startsAt);
  return Array.from({ length: span.days }, (_one, index) => {
    const startsAt = since + index * dayMs;
    const counted = byDay.get(startsAt) ?? [];
    return {
      day: sayDay(startsAt, span),
      counts: sumNames(counted.map(({ name, count }) => [name, count] as const)),
    };
  });
}

/** Setting → how many messages, the most first. */
function sumTypes(numbers: readonly DayNumber[]) {
  const sums = new Map<string, number>();
  for (const { name, count } of numbers) {
    const setting = readDeletedName(name);
    if (setting !== undefined) {
      sums.set(setting, (sums.get(setting) ?? 0) + count);
    }
  }
  return [...sums]
    .map(([name, count]) => ({ name, count }))
    .toSorted((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
}
