/**
 * Deletes messages: at once where Telegram takes it, otherwise later, also after a restart. A deletion
 * that has to wait is a row in the database; see docs/decisions/016.
 */
import { type Kysely } from 'kysely';

import { type Dependencies } from '#server/app/dependencies';
import {
  type ClaimedDeletion,
  createDueDeletionRepository,
  deletedByCommand,
  type Deletion,
  type DueDeletion,
} from '#server/db/due-deletions';
import { createSeenMessageRepository } from '#server/db/seen-messages';
import { type Tables } from '#server/db/tables';
import { Unfinished } from '#server/lib/errors';
import { throwUnlessHeld } from '#server/lib/holding';
import { createDueTimer } from '#server/services/due-timer';

import { type Administrators } from './administrators.ts';
import { deletableForMs, type DeletionQueue, type DeletionResult } from './deletion-queue.ts';

/** While Telegram does not say whether the sender is an administrator. */
const undecidedPauseMs = 5000;
/** How long a row that is being tried is left alone by other processes; renewed while it takes longer. */
const leaseMs = 30_000;
const rowsPerRound = 1000;
/** While so many are being tried, no further ones are begun. */
const maxLeased = 5000;

export type DeletionScheduler = ReturnType<typeof createDeletionScheduler>;

type DeletionResults = {
  /** The IDs of messages that are deleted. */
  readonly gone: readonly number[];
  /** How many Telegram has refused to delete. */
  readonly refused: number;
  /** How many go as soon as Telegram takes it. */
  readonly putOff: number;
};

type Needs = Pick<Dependencies, 'database' | 'clock' | 'log' | 'telegramBot'>;
type Tools = { readonly queue: DeletionQueue; readonly administrators: Administrators };

export function createDeletionScheduler(deps: Needs, tools: Tools) {
  const { database, clock, log, telegramBot } = deps;
  const rows = createDueDeletionRepository(database);
  const addRows = createBatchedAdd((deletions, dueAt) => rows.add(deletions, dueAt));
  const seenMessages = createSeenMessageRepository(database.db);
  const rounds = createDueRounds(
    { rows, forgetSeen: (chatId, ids) => seenMessages.remove(chatId, ids) },
    { ...tools, clock, log },
  );
  /** Returns whether there may be more; never rejects. */
  async function beginDue(): Promise<boolean> {
    try {
      return telegramBot !== undefined && (await rounds.begin());
    } catch (error) {
      if (!(error instanceof Unfinished)) {
        log.error({ err: error }, 'could not read the deletions that are due');
      }
      return false;
    }
  }

  const timer = createDueTimer(deps, {
    what: 'deletions',
    begin: beginDue,
    settled: rounds.settled,
    renew: rounds.renew,
    renewEveryMs: leaseMs / 3,
    rows,
  });

  async function save(deletions: readonly DueDeletion[], dueAt: number): Promise<void> {
    await addRows(deletions, dueAt);
    timer.wakeBy(dueAt);
  }

  return {
    /** Deletes messages in `inMs` milliseconds, for no setting. Resolves when that is saved. */
    async deleteLater(chatId: number, messageIds: readonly number[], inMs: number): Promise<void> {
      const now = clock();
      await save(toUncounted(chatId, messageIds, now), now + inMs);
    },

    /** Saves the same within a transaction; they are deleted when `wake` is called after it. */
    async addInTransaction(
      tx: Kysely<Tables>,
      chatId: number,
      messageIds: readonly number[],
    ): Promise<void> {
      const now = clock();
      const going = toUncounted(chatId, messageIds, now);
      await createDueDeletionRepository({ ...database, db: tx }).add(going, now);
    },
    wake: (): void => timer.wakeBy(clock()),

    /**
     * Resolves when each deletion is answered or saved. Rejects when the database fails, and with `Unfinished` when the
     * lock under which it was begun is lost.
     */
    async deleteNow(deletions: readonly Deletion[]): Promise<DeletionResults> {
      const results = await Promise.all(
        deletions.map(async (deletion) => {
          const result = await tools.queue.add(deletion);
          if (result.kind === 'left') {
            throw new Unfinished();
          }
          if (result.kind === 'later') {
            throwUnlessHeld();
            await save([{ ...deletion, senderId: undefined }], result.at);
          }
          return { messageId: deletion.messageId, kind: result.kind };
        }),
      );
      return toResults(results);
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

    /** Resolves when everything that is due now was tried; never rejects. */
    async deleteDue(): Promise<void> {
      for (let isMore = true; isMore;) {
        // Each round finds what the one before has left.
        isMore = await beginDue();
        await rounds.settled();
      }
    },
    start: timer.start,
    stop: timer.stop,
    abandon: timer.abandon,
  };
}

/** Deletions that count for no setting, of messages whose writer need not be looked at. */
const toUncounted = (
  chatId: number,
  messageIds: readonly number[],
  now: number,
): readonly DueDeletion[] =>
  messageIds.map((messageId) => ({
    chatId,
    messageId,
    setting: undefined,
    senderId: undefined,
    giveUpAt: now + deletableForMs,
  }));

function toResults(
  settled: readonly { readonly messageId: number; readonly kind: DeletionResult['kind'] }[],
): DeletionResults {
  const list = (wanted: DeletionResult['kind']) =>
    settled.filter(({ kind }) => kind === wanted).map(({ messageId }) => messageId);
  return { gone: list('gone'), refused: list('dropped').length, putOff: list('later').length };
}

type Rows = ReturnType<typeof createDueDeletionRepository>;
/** Messages that are not to be chosen for a deletion again. */
type ForgetSeen = (chatId: number, messageIds: readonly number[]) => Promise<void>;

/** Tries what is due once more, and saves what has to be tried again. A slow chat delays no other chat. */
function createDueRounds(
  { rows, forgetSeen }: { readonly rows: Rows; readonly forgetSeen: ForgetSeen },
  { queue, administrators, clock, log }: Tools & Pick<Needs, 'clock' | 'log'>,
) {
  const leased = new Set<ClaimedDeletion>();
  const inProgress = new Set<Promise<void>>();

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

  async function tryInChat(chatId: number, due: readonly ClaimedDeletion[]): Promise<void> {
    const results = await Promise.all(
      due.map(async (row) => ({ row, result: await tryOnce(row) })),
    );
    await forgetSeen(
      chatId,
      results
        .filter(({ row, result }) => row.setting === deletedByCommand && result.kind === 'gone')
        .map(({ row }) => row.messageId),
    );
    const settled = results.filter(({ result }) => result.kind !== 'left');
    const byTime = Map.groupBy(settled, ({ result }) =>
      result.kind === 'later' ? result.at : undefined,
    );
    for (const [at, some] of byTime) {
      const claimed = some.map(({ row }) => row);
      // One connection has one statement at a time.
      await (at === undefined ? rows.remove(claimed) : rows.postpone(claimed, at));
    }
  }

  async function handleChat(chatId: number, due: readonly ClaimedDeletion[]): Promise<void> {
    try {
      await tryInChat(chatId, due);
    } catch (error) {
      // The rows are due again when their lease has expired, or when another process has the lock.
      if (!(error instanceof Unfinished)) {
        log.error({ err: error }, 'could not delete the messages that are due');
      }
    }
    for (const row of due) {
      leased.delete(row);
    }
  }

  return {
    /** Begins to try what is due. Returns whether there may be more. */
    async begin(): Promise<boolean> {
      if (leased.size >= maxLeased) {
        return false;
      }
      throwUnlessHeld();
      const due = await rows.claimDue(clock(), { limit: rowsPerRound, leaseMs });
      for (const row of due) {
        leased.add(row);
      }
      for (const [chatId, inChat] of Map.groupBy(due, (row) => row.chatId)) {
        const handling = handleChat(chatId, inChat);
        inProgress.add(handling);
        void handling.then(() => inProgress.delete(handling));
      }
      return due.length === rowsPerRound;
    },

    /** Keeps other processes from trying what takes long; never rejects. */
    renew: (): Promise<void> =>
      rows.renew([...leased], leaseMs).catch((error: unknown) => {
        log.warn({ err: error }, 'could not extend the leases of deletions');
      }),

    /** Resolves when nothing is being tried. */
    settled: async (): Promise<void> => {
      await Promise.all(inProgress);
    },
  };
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
