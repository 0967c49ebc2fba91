import { type Dependencies } from '#server/app/dependencies';
/** Tries what has become due once more, and writes down what is to be tried again. */
import { createDueDeletionRepository, type DueDeletion } from '#server/db/due-deletions';

import { type Administrators } from './administrators.ts';
import { type DeletionQueue } from './deletion-queue.ts';

const rowsPerRound = 1000;
/** While it is not known who is an administrator. */
const undecidedPauseMs = 5000;

export type DueTools = { readonly queue: DeletionQueue; readonly administrators: Administrators };

/** The returned function deletes what is due now. */
export function createDueRound(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  { queue, administrators }: DueTools,
): () => Promise<void> {
  const rows = createDueDeletionRepository(database.db);

  /** Those that may be tried now. The others are forgotten, or wait on. */
  async function decided(chatId: number, due: readonly DueDeletion[]) {
    const now = clock();
    const over: number[] = [];
    const open: number[] = [];
    const ready: DueDeletion[] = [];
    for (const deletion of due) {
      const { senderId, messageId, giveUpAt } = deletion;
      const standing =
        senderId === undefined
          ? 'other'
          : // The list of administrators is asked for once.
            await administrators.standing(chatId, senderId);
      const isSettled = standing === 'administrator' || standing === 'out of reach';
      if (giveUpAt <= now || isSettled) {
        over.push(messageId);
      } else if (standing === 'unknown') {
        open.push(messageId);
      } else {
        ready.push(deletion);
      }
    }
    await rows.remove(chatId, over);
    await rows.postpone(chatId, open, now + undecidedPauseMs);
    return ready;
  }

  async function deleteInChat(chatId: number, due: readonly DueDeletion[]): Promise<void> {
    const ready = await decided(chatId, due);
    const fates = await Promise.all(ready.map((deletion) => queue.take(deletion)));
    const settled: number[] = [];
    const postponed: number[] = [];
    let dueAt = clock();
    for (const [index, { messageId }] of ready.entries()) {
      const fate = fates[index];
      if (fate?.kind === 'later') {
        postponed.push(messageId);
        dueAt = Math.max(dueAt, fate.at);
      } else {
        settled.push(messageId);
      }
    }
    await rows.remove(chatId, settled);
    await rows.postpone(chatId, postponed, dueAt);
  }

  return async () => {
    for (;;) {
      const due = await rows.due(clock(), rowsPerRound);
      const ofChats = Map.groupBy(due, ({ chatId }) => chatId);
      await Promise.all([...ofChats].map(([chatId, ofChat]) => deleteInChat(chatId, ofChat)));
      if (due.length < rowsPerRound) {
        return;
      }
    }
  };
}

/**
 * Writes down together what is to be noted in the same moment: in a flood it is a great deal. A
 * message is noted once, however often it is asked for: those of an album come with each other.
 */
export function createNotes(
  write: (deletions: readonly DueDeletion[], dueAt: number) => Promise<void>,
): {
  readonly add: (deletions: readonly DueDeletion[], dueAt: number) => Promise<void>;
} {
  /** When they are due → what is due then, by message. */
  type Gathered = Map<number, Map<string, DueDeletion>>;
  let waiting: Gathered = new Map();
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

  return {
    add(deletions, dueAt) {
      const sameTime = waiting.get(dueAt) ?? new Map<string, DueDeletion>();
      waiting.set(dueAt, sameTime);
      for (const deletion of deletions) {
        sameTime.set(`${deletion.chatId}:${deletion.messageId}`, deletion);
      }
      if (next === undefined) {
        next = writeAll();
        last = next;
      }
      return next;
    },
  };
}
