/** Sends deletions to Telegram, chat by chat, and decides what Telegram's answers mean. */
import { setTimeout as sleep } from 'node:timers/promises';

import { isMessageSetting } from '#contract/chats/message-types';
import { deletedName } from '#contract/chats/numbers';
import { type Dependencies } from '#server/app/dependencies';
import { deletedByCommand, type Deletion } from '#server/db/due-deletions';
import { createKeyedSemaphore } from '#server/lib/concurrency';
import { Unfinished } from '#server/lib/errors';
import { currentHold, type Hold } from '#server/lib/holding';
import { createBoundedMap, createMemoryCache } from '#server/lib/memory-cache';
import { metrics } from '#server/lib/telemetry';
import { type ChatNumbers } from '#server/services/chat-numbers';
import { createPauses, type Pauses, type SharedPauses } from '#server/services/telegram-pauses';
import { type DeletionOutcome } from '#server/upstream/telegram/calls';

import { type DeletionCounts } from './deletion-counts.ts';
import { type DeletionRights } from './rights.ts';

/** Telegram deletes no older messages for a bot. */
export const deletableForMs = 48 * 3_600_000;
/** What Telegram takes in one call. */
const maxIdsPerCall = 100;
/** For all chats together: 600 calls a second when an answer takes 150 ms. */
const maxConcurrentCalls = 96;
/** After so many refusals, one after the other, older messages are not tried one by one. */
const enoughRefused = 10;
/** How long a deletion is remembered, so that a message that arrives again is not deleted again. */
const rememberMs = 30_000;
const maxRemembered = 50_000;

/**
 * `dropped`: trying again would not help. `later`: not before `at`, in epoch milliseconds. `left`: to another process, as
 * this one has lost its lock.
 */
export type DeletionResult =
  | { readonly kind: 'gone' }
  | { readonly kind: 'left' }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'later'; readonly at: number };

export type DeletionQueue = ReturnType<typeof createDeletionQueue>;

/** As metrics name them. */
const outcomes = { gone: 'done', dropped: 'refused', later: 'put_off', left: 'put_off' } as const;

/** Settling a job twice does nothing. */
type Job = Deletion & {
  readonly hold: Hold;
  readonly settle: (result: DeletionResult) => void;
};
type Lane = { jobs: Job[]; isSending: boolean };

type Needs = Pick<Dependencies, 'telegramBot' | 'clock' | 'log'>;
type Tools = {
  readonly counts: DeletionCounts;
  readonly numbers: Pick<ChatNumbers, 'count'>;
  readonly rights: DeletionRights;
  readonly onUpgrade: (oldId: number, newId: number) => Promise<void>;
  /** The pauses of other processes. */
  readonly shared: SharedPauses;
};

/** So long after Telegram has wanted no calls, the calls of each chat come no faster than this, with more in each. */
const crowdedMs = 60_000;
const crowdedPaceMs = 250;
const maxPaced = 10_000;

/** Tells how long the next call about a chat waits for more: Telegram counts calls, however many messages are in each. */
function createPace() {
  // The machine's own clock: this is how long Telegram has to be left alone.
  const calledAt = createBoundedMap<number, number>(maxPaced);
  let crowdedUntil = 0;

  return {
    /** Returns the same pauses, and knows from then on when Telegram begins one. */
    watch: (pauses: Pauses): Pauses => ({
      ...pauses,
      start: (chatId, retryAfterS) => {
        crowdedUntil = retryAfterS === undefined ? crowdedUntil : performance.now() + crowdedMs;
        return pauses.start(chatId, retryAfterS);
      },
    }),
    wait: async (chatId: number): Promise<void> => {
      const now = performance.now();
      if (now >= crowdedUntil) {
        return;
      }
      const waitMs = (calledAt.get(chatId) ?? 0) + crowdedPaceMs - now;
      if (waitMs > 0) {
        await sleep(waitMs);
      }
      calledAt.set(chatId, performance.now());
    },
  };
}

/**
 * The first deletion of a chat is sent at once; those that come during a call go together into the next. While Telegram
 * wants fewer calls, they wait a little for more.
 */
export function createDeletionQueue(deps: Needs, tools: Tools) {
  const { clock, log } = deps;
  const lanes = new Map<number, Lane>();
  const pace = createPace();
  const pauses = pace.watch(createPauses(clock, tools.shared));
  const send = createSender(deps, { ...tools, pauses });
  const recent = createMemoryCache<DeletionResult>({
    max: maxRemembered,
    lifetimeMs: rememberMs,
    clock,
  });

  /** Takes what goes into the next call; settles what is not sent at all. */
  function takeBatch(chatId: number, lane: Lane): readonly Job[] {
    settleAll(
      lane.jobs.filter(({ hold }) => !hold.isHeld()),
      { kind: 'left' },
    );
    lane.jobs = lane.jobs.filter(({ hold }) => hold.isHeld());
    const until = pauses.getEnd(chatId);
    if (until > clock()) {
      settleAll(lane.jobs.splice(0), { kind: 'later', at: until });
      return [];
    }
    const others = lane.jobs.filter((job) => !isOwn(job));
    const own = lane.jobs.filter(isOwn);
    const mayTry = tools.rights.mayTry(chatId);
    // The bot may always delete its own messages, so they are never in a call with those of others.
    if (others.length === 0 || mayTry === 'no') {
      settleAll(others);
      lane.jobs = own.slice(maxIdsPerCall);
      return own.slice(0, maxIdsPerCall);
    }
    const size = mayTry === 'once' ? 1 : maxIdsPerCall;
    // Telegram refuses a call with an old message, so they come last, in calls of their own.
    const now = clock();
    const deletable = others.filter((job) => !isTooOld(job, now));
    const batch = new Set((deletable.length > 0 ? deletable : others).slice(0, size));
    lane.jobs = lane.jobs.filter((job) => !batch.has(job));
    return [...batch];
  }

  async function sendAll(chatId: number, lane: Lane): Promise<void> {
    await pace.wait(chatId);
    let batch = takeBatch(chatId, lane);
    while (batch.length > 0) {
      try {
        // One call after the other: what comes meanwhile is gathered for the next.
        await send(chatId, batch);
      } catch (error) {
        if (error instanceof Unfinished) {
          settleAll(batch, { kind: 'left' });
        } else {
          log.error({ err: error }, 'could not save the result of a deletion');
          settleAll(batch);
        }
      }
      await (lane.jobs.length > 0 && pace.wait(chatId));
      batch = takeBatch(chatId, lane);
    }
    lanes.delete(chatId);
  }

  function enqueue(deletion: Deletion, key: string): Promise<DeletionResult> {
    const { chatId } = deletion;
    const lane = lanes.get(chatId) ?? { jobs: [], isSending: false };
    lanes.set(chatId, lane);
    const { promise, resolve } = Promise.withResolvers<DeletionResult>();
    lane.jobs.push({
      ...deletion,
      hold: currentHold(),
      settle: (result) => {
        if (result.kind !== 'gone') {
          recent.forget(key);
        }
        resolve(result);
      },
    });
    if (!lane.isSending) {
      lane.isSending = true;
      // After what is added in the same tick, such as the rest of an album.
      queueMicrotask(() => void sendAll(chatId, lane));
    }
    void promise.then(({ kind }) => metrics.count('deletions', { outcome: outcomes[kind] }));
    return promise;
  }

  return {
    /** Never rejects. A message that is being deleted, or just was, is not deleted again. */
    add: (deletion: Deletion): Promise<DeletionResult> => {
      const key = `${deletion.chatId}:${deletion.messageId}`;
      return recent.get(key, () => enqueue(deletion, key));
    },
  };
}

/** Returns a function that calls Telegram once. It rejects only with `Unfinished`: the lock of the process is lost. */
function createCall({ telegramBot, log }: Needs) {
  const semaphore = createKeyedSemaphore(maxConcurrentCalls);

  return async (chatId: number, jobs: readonly Job[]): Promise<DeletionOutcome> => {
    const release = await semaphore.acquire('deletions');
    const noAnswer = { kind: 'later', retryAfterS: undefined } as const;
    try {
      const ids = jobs.map(({ messageId }) => messageId);
      return (await telegramBot?.deleteMessages(chatId, ids)) ?? noAnswer;
    } catch (error) {
      if (error instanceof Unfinished) {
        throw error;
      }
      log.error({ err: error }, 'could not delete messages');
      return noAnswer;
    } finally {
      release();
    }
  };
}

/**
 * Returns a function that deletes messages of one chat, which are all the bot's own or all of others, and
 * settles each of them. It rejects when the database fails.
 */
function createSender(
  deps: Needs,
  { counts, numbers, rights, onUpgrade, pauses }: Tools & { readonly pauses: Pauses },
): (chatId: number, jobs: readonly Job[]) => Promise<void> {
  const { clock } = deps;
  const call = createCall(deps);

  /** Calls Telegram once. Settles the jobs unless Telegram has refused. */
  async function attempt(chatId: number, jobs: readonly Job[]): Promise<DeletionOutcome> {
    const outcome = await call(chatId, jobs);
    if (outcome.kind === 'later') {
      settleAll(jobs, { kind: 'later', at: pauses.start(chatId, outcome.retryAfterS) });
      return outcome;
    }
    pauses.reset(chatId);
    if (outcome.kind === 'gone') {
      settleAll(jobs, { kind: 'gone' });
      if (outcome.isOurs) {
        await saveSuccess(chatId, jobs);
      }
    } else if (outcome.kind === 'moved') {
      // In the new group the ids of these messages belong to other messages.
      await onUpgrade(chatId, outcome.chatId);
      settleAll(jobs);
    }
    return outcome;
  }

  async function saveSuccess(chatId: number, jobs: readonly Job[]): Promise<void> {
    // Of several messages Telegram skips those that are gone already, and does not say which.
    const isCertain = jobs.length === 1;
    for (const { setting, topicId } of jobs) {
      if (setting !== undefined && setting !== deletedByCommand) {
        numbers.count(chatId, deletedName(setting), { topicId });
        if (isMessageSetting(setting)) {
          counts.add(chatId, setting, isCertain);
        }
      }
    }
    if (!jobs.every(isOwn)) {
      await rights.worked(chatId);
    }
  }

  /**
   * One message that cannot be deleted makes Telegram refuse the whole call, so each gets a call of its own. When
   * several of those for commands are too old, so are all before them: they are left to the caller.
   */
  async function sendOneByOne(chatId: number, jobs: readonly Job[]): Promise<void> {
    const isByCommand = jobs.every(({ setting }) => setting === deletedByCommand);
    let refused = 0;
    for (const job of isByCommand ? jobs.toSorted(byNewest) : jobs) {
      const until = pauses.getEnd(chatId);
      if (isByCommand && refused === enoughRefused) {
        return;
      }
      if (until > clock()) {
        job.settle({ kind: 'later', at: until });
      } else {
        // One after the other, because an answer about the chat or a pause ends it.
        const outcome = await attempt(chatId, [job]);
        if (outcome.kind === 'moved' || (await saveLoss(chatId, outcome))) {
          return;
        }
        refused = outcome.kind === 'refused' ? refused + 1 : 0;
      }
    }
  }

  /** Returns whether the answer says that the bot can delete nothing in the chat. */
  async function saveLoss(chatId: number, outcome: DeletionOutcome): Promise<boolean> {
    const loss = outcome.kind === 'refused' ? losses.get(outcome.why) : undefined;
    if (loss !== undefined) {
      await rights.lost(chatId, loss);
    }
    return loss !== undefined;
  }

  /** Telegram does not say whether it has refused because of a message or because of the bot's rights. */
  async function sendAgain(chatId: number, jobs: readonly Job[]): Promise<void> {
    const right = jobs.every(isOwn) ? ({ kind: 'yes' } as const) : await rights.check(chatId);
    if (right.kind === 'later') {
      settleAll(jobs, { kind: 'later', at: pauses.start(chatId, right.retryAfterS) });
    } else if (right.kind === 'yes' && jobs.length > 1) {
      await sendOneByOne(chatId, jobs);
    }
  }

  return async (chatId, jobs) => {
    const outcome = await attempt(chatId, jobs);
    if (outcome.kind !== 'refused') {
      return;
    }
    const now = clock();
    if (!(await saveLoss(chatId, outcome)) && !jobs.every((job) => isTooOld(job, now))) {
      await sendAgain(chatId, jobs);
    }
    settleAll(jobs);
  };
}

const losses: ReadonlyMap<string, 'right' | 'place'> = new Map([
  ['no right', 'right'],
  ['not in chat', 'place'],
]);

const byNewest = (one: Job, other: Job) => other.messageId - one.messageId;

function settleAll(jobs: readonly Job[], result: DeletionResult = { kind: 'dropped' }): void {
  for (const { settle } of jobs) {
    settle(result);
  }
}

/** Whether it deletes a message of the bot itself. */
function isOwn({ setting }: Job): boolean {
  return setting === undefined;
}

function isTooOld({ giveUpAt }: Job, now: number): boolean {
  return giveUpAt <= now;
}
