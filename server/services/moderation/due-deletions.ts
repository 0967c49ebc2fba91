import { type Dependencies } from '#server/app/dependencies';
/**
 * Deletes messages of chats: at once where Telegram takes it, and otherwise later, also after a
 * restart. Messages of the bot that tidy themselves away wait here, too.
 */
import { createDueDeletionRepository, type DueDeletion } from '#server/db/due-deletions';

import { type Deletion } from './deletion-calls.ts';
import { createDueRound, createNotes, type DueTools } from './due-round.ts';
import { createUnanswered } from './unanswered.ts';

const secondMs = 1000;
const hourMs = 3600 * secondMs;
/** Telegram deletes nothing older for a bot. */
const deletableForMs = 48 * hourMs;
/** While it is not known who is an administrator. */
const undecidedPauseMs = 5 * secondMs;
/** What was under way in a server that is gone is tried this soon; in this one it waits for its answer, too. */
const answeredWithinMs = 5 * secondMs;
/** A row that another process has written is found after this at the latest. */
const longestSleepMs = 30 * secondMs;
/** Nothing that goes wrong turns the runner into a treadmill. */
const shortestSleepMs = 250;

export type DueDeletions = {
  /** Notes messages of the bot to be deleted `inMs` milliseconds from now, also after a restart. */
  readonly add: (chatId: number, messageIds: readonly number[], inMs: number) => Promise<void>;
  /** Resolves when all are dealt with, or noted to be tried again, or written down. */
  readonly deleteNow: (deletions: readonly Deletion[]) => Promise<void>;
  /** Notes messages to be deleted once it is known that who wrote them is no administrator. */
  readonly noteUndecided: (deletions: readonly Deletion[], senderId: number) => Promise<void>;
  /** Writes down what Telegram has not answered yet, so that nobody need wait for it; never rejects. */
  readonly writeDown: () => Promise<void>;
  /** Deletes what is due now; never rejects. */
  readonly deleteDue: () => Promise<void>;
  /** Deletes whatever becomes due, until `stop`, which resolves when nothing is under way. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

type Needs = Pick<Dependencies, 'database' | 'clock' | 'log' | 'telegramBot'>;

export function createDueDeletions(deps: Needs, tools: DueTools): DueDeletions {
  const { database, clock, log, telegramBot } = deps;
  const rows = createDueDeletionRepository(database.db);
  const notes = createNotes((deletions, dueAt) => rows.add(deletions, dueAt));
  const unanswered = createUnanswered({
    write: (deletions) => note(deletions, clock() + answeredWithinMs),
    postpone: async ({ chatId, messageId }, at) => {
      await rows.postpone(chatId, [messageId], at);
      wakeBy(at);
    },
    remove: (deletions) => rows.removeAll(deletions),
    onFailure: (error) => log.error({ err: error }, 'an answered deletion is still written down'),
  });
  const round = telegramBot === undefined ? () => Promise.resolve() : createDueRound(deps, tools);
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Infinity;
  let isRunning = false;
  let underWay: Promise<void> = Promise.resolve();

  async function note(deletions: readonly DueDeletion[], dueAt: number): Promise<void> {
    await notes.add(deletions, dueAt);
    wakeBy(dueAt);
  }

  function deleteDue(): Promise<void> {
    underWay = underWay.then(round).catch((error: unknown) => {
      log.error({ err: error }, 'deleting what is due failed');
    });
    return underWay;
  }

  /** Sleeps no longer than until then. */
  function wakeBy(time: number): void {
    const latest = Math.min(time, clock() + longestSleepMs);
    if (!isRunning || latest >= wakesAt) {
      return;
    }
    wakesAt = latest;
    clearTimeout(timer);
    timer = setTimeout(() => void wake(), Math.max(latest - clock(), shortestSleepMs));
    timer.unref();
  }

  async function wake(): Promise<void> {
    wakesAt = Infinity;
    await deleteDue();
    wakeBy((await rows.nextDueAt().catch(() => undefined)) ?? Infinity);
  }

  return {
    add: async (chatId, messageIds, inMs) => {
      const giveUpAt = clock() + deletableForMs;
      const own = { chatId, setting: undefined, senderId: undefined, giveUpAt };
      await note(
        messageIds.map((messageId) => ({ ...own, messageId })),
        clock() + inMs,
      );
    },

    deleteNow: async (deletions) => {
      await Promise.all(
        deletions.map(async (deletion) => {
          const row = { ...deletion, senderId: undefined };
          const fate = await unanswered.wait(row, tools.queue.take(deletion));
          if (fate?.kind === 'later') {
            await note([row], fate.at);
          }
        }),
      );
    },

    noteUndecided: async (deletions, senderId) => {
      await note(
        deletions.map((deletion) => ({ ...deletion, senderId })),
        clock() + undecidedPauseMs,
      );
    },

    writeDown: async () => {
      await unanswered.writeDown().catch((error: unknown) => {
        log.error({ err: error }, 'unanswered deletions could not be written down');
      });
    },

    deleteDue,
    start: () => {
      isRunning = true;
      wakeBy(clock());
    },
    stop: async () => {
      isRunning = false;
      clearTimeout(timer);
      await underWay;
      await unanswered.settled();
    },
  };
}
