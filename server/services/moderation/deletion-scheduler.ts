/**
 * Deletes messages: at once where Telegram takes it, otherwise later, also after a restart. A deletion
 * that has to wait is a row in the database; see docs/decisions/016.
 */
import { type Dependencies } from '#server/app/dependencies';
import {
  createDueDeletionRepository,
  type Deletion,
  type DueDeletion,
} from '#server/db/due-deletions';

import { type Administrators } from './administrators.ts';
import { deletableForMs, type DeletionQueue, type DeletionResult } from './deletion-queue.ts';

/** While Telegram does not say whether the sender is an administrator. */
const undecidedPauseMs = 5000;
/** How soon a row of an unanswered deletion is due: the server that saved it may be gone by then. */
const answeredWithinMs = 5000;
/** How soon a row that another process has saved is found at the latest. */
const maxSleepMs = 30_000;
/** Keeps the scheduler from running without a break when something goes wrong. */
const minSleepMs = 250;
/** Rows of answered deletions are removed together. */
const removeAfterMs = 250;
const rowsPerRound = 1000;

export type DeletionScheduler = ReturnType<typeof createDeletionScheduler>;

type Needs = Pick<Dependencies, 'database' | 'clock' | 'log' | 'telegramBot'>;
type Tools = { readonly queue: DeletionQueue; readonly administrators: Administrators };

export function createDeletionScheduler(deps: Needs, tools: Tools) {
  const { database, clock, log, telegramBot } = deps;
  const rows = createDueDeletionRepository(database.db);
  const addRows = createBatchedAdd((deletions, dueAt) => rows.add(deletions, dueAt));
  const timer = createWakeTimer(clock, async () => {
    await deleteDue();
    return rows.readNextDueAt().catch(() => undefined);
  });
  const inFlight = createInFlightDeletions({
    save: (deletions) => save(deletions, clock() + answeredWithinMs),
    postpone: async ({ chatId, messageId }, at) => {
      await rows.postpone(chatId, [messageId], at);
      timer.wakeBy(at);
    },
    remove: (deletions) => rows.removeAll(deletions),
    onFailure: (error) => log.error({ err: error }, 'could not remove answered deletions'),
  });
  let running: Promise<void> = Promise.resolve();

  async function save(deletions: readonly DueDeletion[], dueAt: number): Promise<void> {
    await addRows(deletions, dueAt);
    timer.wakeBy(dueAt);
  }

  function deleteDue(): Promise<void> {
    running = running
      .then(() => (telegramBot === undefined ? undefined : tryDueRows(rows, { ...tools, clock })))
      .catch((error: unknown) => {
        log.error({ err: error }, 'could not delete the messages that are due');
      });
    return running;
  }

  return {
    /** Deletes messages of the bot itself in `inMs` milliseconds. Resolves when that is saved. */
    async deleteLater(chatId: number, messageIds: readonly number[], inMs: number): Promise<void> {
      const now = clock();
      const own = {
        chatId,
        setting: undefined,
        senderId: undefined,
        giveUpAt: now + deletableForMs,
      };
      await save(
        messageIds.map((messageId) => ({ ...own, messageId })),
        now + inMs,
      );
    },

    /** Resolves when each deletion is answered or saved. Rejects when the database fails. */
    async deleteNow(deletions: readonly Deletion[]): Promise<void> {
      await Promise.all(
        deletions.map(async (deletion) => {
          const row = { ...deletion, senderId: undefined };
          const result = await inFlight.wait(row, tools.queue.add(deletion));
          if (result?.kind === 'later') {
            await save([row], result.at);
          }
        }),
      );
    },

    /** Deletes messages once Telegram says that the sender is no administrator. Resolves when that is saved. */
    async deleteUnlessAdministrator(
      deletions: readonly Deletion[],
      senderId: number,
    ): Promise<void> {
      await save(
        deletions.map((deletion) => ({ ...deletion, senderId })),
        clock() + undecidedPauseMs,
      );
    },

    /** Saves the deletions that Telegram has not answered yet, so that `deleteNow` resolves; never rejects. */
    saveInFlight: (): Promise<void> =>
      inFlight.saveAll().catch((error: unknown) => {
        log.error({ err: error }, 'could not save unanswered deletions');
      }),

    /** Deletes what is due now; never rejects. */
    deleteDue,
    /** Deletes what becomes due, until `stop`. */
    start: timer.start,
    /** Resolves when nothing is in progress. */
    stop: async (): Promise<void> => {
      timer.stop();
      await running;
      await inFlight.settled();
    },
  };
}

/** Runs `run` when something is due; it resolves to when the next thing is, in epoch milliseconds. */
function createWakeTimer(clock: () => number, run: () => Promise<number | undefined>) {
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Infinity;
  let isStarted = false;

  function wakeBy(time: number): void {
    const latest = Math.min(time, clock() + maxSleepMs);
    if (!isStarted || latest >= wakesAt) {
      return;
    }
    wakesAt = latest;
    clearTimeout(timer);
    timer = setTimeout(() => void wake(), Math.max(latest - clock(), minSleepMs));
    timer.unref();
  }

  async function wake(): Promise<void> {
    wakesAt = Infinity;
    wakeBy((await run()) ?? Infinity);
  }

  return {
    wakeBy,
    start: () => {
      isStarted = true;
      wakeBy(clock());
    },
    stop: () => {
      isStarted = false;
      clearTimeout(timer);
    },
  };
}

type Rows = ReturnType<typeof createDueDeletionRepository>;

/** Tries what is due once more, and saves what has to be tried again. */
async function tryDueRows(
  rows: Rows,
  { queue, administrators, clock }: Tools & { readonly clock: () => number },
): Promise<void> {
  async function tryOnce(row: DueDeletion): Promise<DeletionResult> {
    const { chatId, senderId, giveUpAt } = row;
    const status =
      senderId === undefined ? 'member' : await administrators.memberStatus(chatId, senderId);
    if (giveUpAt <= clock() || status === 'administrator' || status === 'unreachable') {
      return { kind: 'dropped' };
    }
    return status === 'unknown'
      ? { kind: 'later', at: clock() + undecidedPauseMs }
      : queue.add(row);
  }

  async function tryInChat(chatId: number, due: readonly DueDeletion[]): Promise<void> {
    const results = await Promise.all(
      due.map(async (row) => ({ id: row.messageId, result: await tryOnce(row) })),
    );
    const byTime = Map.groupBy(results, ({ result }) =>
      result.kind === 'later' ? result.at : undefined,
    );
    for (const [at, settled] of byTime) {
      const ids = settled.map(({ id }) => id);
      // One connection has one statement at a time.
      await (at === undefined ? rows.remove(chatId, ids) : rows.postpone(chatId, ids, at));
    }
  }

  let due: readonly DueDeletion[];
  do {
    // Each round finds what the one before has left.
    due = await rows.listDue(clock(), rowsPerRound);
    const byChat = Map.groupBy(due, ({ chatId }) => chatId);
    await Promise.all([...byChat].map(([chatId, inChat]) => tryInChat(chatId, inChat)));
  } while (due.length === rowsPerRound);
}

/**
 * Returns a function that saves deletions together with others that are saved in the same tick: in a
 * flood there are many. A message is saved once, however often it is given: those of an album come with
 * each other.
 */
function createBatchedAdd(
  write: (deletions: readonly DueDeletion[], dueAt: number) => Promise<void>,
): (deletions: readonly DueDeletion[], dueAt: number) => Promise<void> {
  /** Time → deletions that are due then, by message. */
  let waiting = new Map<number, Map<string, DueDeletion>>();
  let next: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();

  /** One after the other: two statements with the same rows could lock each other out. */
  async function writeAll(): Promise<void> {
    await last.catch(() => undefined);
    await new Promise(setImmediate);
    const gathered = waiting;
    waiting = new Map();
    next = undefined;
    for (const [dueAt, deletions] of gathered) {
      await write([...deletions.values()], dueAt);
    }
  }

  return (deletions, dueAt) => {
    const atSameTime = waiting.get(dueAt) ?? new Map<string, DueDeletion>();
    waiting.set(dueAt, atSameTime);
    for (const deletion of deletions) {
      atSameTime.set(`${deletion.chatId}:${deletion.messageId}`, deletion);
    }
    if (next === undefined) {
      next = writeAll();
      last = next;
    }
    return next;
  };
}

type InFlight = {
  readonly deletion: DueDeletion;
  readonly release: () => void;
  /** Set as soon as it is being saved; the answer may come meanwhile. */
  saving: Promise<void> | undefined;
};

/**
 * Deletions that Telegram has not answered yet. Where other messages wait for them they are saved all
 * together, and the others go on; the rows are removed when the answers have come. `onFailure` gets the
 * error when a row could not be removed or postponed: the deletion is then only tried once more.
 */
export function createInFlightDeletions({
  save,
  postpone,
  remove,
  onFailure,
}: {
  readonly save: (deletions: readonly DueDeletion[]) => Promise<void>;
  readonly postpone: (deletion: DueDeletion, at: number) => Promise<void>;
  readonly remove: (deletions: readonly DueDeletion[]) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}) {
  const open = new Set<InFlight>();
  const unanswered = new Set<Promise<void>>();
  let answered: DueDeletion[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function removeAnswered(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const rows = answered;
    answered = [];
    await remove(rows).catch(onFailure);
  }

  /** Updates the row of a saved deletion when its result is there. */
  async function updateRow(
    { deletion, saving }: InFlight,
    pending: Promise<DeletionResult>,
  ): Promise<void> {
    await saving?.catch(() => undefined);
    const result = await pending;
    if (result.kind === 'later') {
      await postpone(deletion, result.at).catch(onFailure);
      return;
    }
    answered.push(deletion);
    timer ??= setTimeout(() => void removeAnswered(), removeAfterMs).unref();
  }

  return {
    /** Resolves to the result, or to undefined when the deletion was saved before there was one. */
    async wait(
      deletion: DueDeletion,
      pending: Promise<DeletionResult>,
    ): Promise<DeletionResult | undefined> {
      const saved = Promise.withResolvers<undefined>();
      const one: InFlight = {
        deletion,
        release: () => saved.resolve(undefined),
        saving: undefined,
      };
      open.add(one);
      const result = await Promise.race([pending, saved.promise]);
      open.delete(one);
      if (one.saving !== undefined) {
        const updated = updateRow(one, pending);
        unanswered.add(updated);
        void updated.then(() => unanswered.delete(updated));
      }
      return result;
    },

    /** Saves what is waited for now. Rejects when the database fails. */
    async saveAll(): Promise<void> {
      const waiting = [...open];
      if (waiting.length === 0) {
        return;
      }
      const saving = save(waiting.map(({ deletion }) => deletion));
      for (const one of waiting) {
        one.saving = saving;
      }
      await saving;
      for (const { release } of waiting) {
        release();
      }
    },

    /** Resolves when all that was saved is answered, and the rows are removed. */
    async settled(): Promise<void> {
      await Promise.all(unanswered);
      await removeAnswered();
    },
  };
}
