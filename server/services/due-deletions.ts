/** Deletes messages later: those of the bot that tidy themselves away, and what Telegram could not take yet. Survives a restart. */
import { createDueDeletionRepository } from '#server/db/due-deletions';
import { type Dependencies } from '#server/lib/dependencies';
import { type DeletionOutcome } from '#server/upstream/telegram-errors';

const secondMs = 1000;
/** What Telegram takes in one call. */
const idsPerCall = 100;
const rowsPerRound = 1000;
/** While Telegram does not answer. */
const outagePauseMs = 15 * secondMs;
/** A row that another process has written is found after this at the latest. */
const longestSleepMs = 30 * secondMs;
/** Nothing that goes wrong turns the runner into a treadmill. */
const shortestSleepMs = 250;

export type DueDeletions = {
  /** Notes messages of a chat to be deleted `inMs` milliseconds from now, also after a restart. */
  readonly add: (chatId: number, messageIds: readonly number[], inMs: number) => Promise<void>;
  /** Deletes what is due now; never rejects. */
  readonly deleteDue: () => Promise<void>;
  /** Deletes whatever becomes due, until `stop`, which resolves when nothing is under way. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

type Needs = Pick<Dependencies, 'database' | 'clock' | 'log' | 'telegramBot'>;

export function createDueDeletions({ database, clock, log, telegramBot }: Needs): DueDeletions {
  const rows = createDueDeletionRepository(database.db);
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let underWay: Promise<void> = Promise.resolve();

  /** Whether these are dealt with; the rest waits for its time. */
  async function settle(
    chatId: number,
    ids: readonly number[],
    outcome: DeletionOutcome,
  ): Promise<void> {
    if (outcome.kind === 'later') {
      const waitMs =
        outcome.retryAfterS === undefined ? outagePauseMs : outcome.retryAfterS * secondMs;
      await rows.postpone(chatId, ids, clock() + waitMs);
      return;
    }
    if (outcome.kind === 'moved') {
      await rows.add(outcome.chatId, ids, clock());
    } else if (outcome.kind === 'refused' && ids.length > 1) {
      // One that cannot be deleted spoils the call for the others.
      for (const id of ids) {
        // oxlint-disable-next-line no-await-in-loop
        await deleteSome(chatId, [id]);
      }
      return;
    }
    await rows.remove(chatId, ids);
  }

  async function deleteSome(chatId: number, ids: readonly number[]): Promise<void> {
    if (telegramBot !== undefined) {
      await settle(chatId, ids, await telegramBot.deleteMessages(chatId, ids));
    }
  }

  async function deleteAllDue(): Promise<void> {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop
      const due = await rows.due(clock(), rowsPerRound);
      for (const [chatId, ids] of batches(due)) {
        // One call after the other, as nobody waits for these.
        // oxlint-disable-next-line no-await-in-loop
        await deleteSome(chatId, ids);
      }
      if (due.length < rowsPerRound) {
        return;
      }
    }
  }

  function deleteDue(): Promise<void> {
    underWay = underWay.then(telegramBot && deleteAllDue).catch((error: unknown) => {
      log.error({ err: error }, 'deleting what is due failed');
    });
    return underWay;
  }

  function sleepUntil(dueAt: number | undefined): void {
    if (!isRunning) {
      return;
    }
    clearTimeout(timer);
    const waitMs = dueAt === undefined ? longestSleepMs : dueAt - clock();
    timer = setTimeout(
      () => void round(),
      Math.min(Math.max(waitMs, shortestSleepMs), longestSleepMs),
    );
    timer.unref();
  }

  async function round(): Promise<void> {
    await deleteDue();
    sleepUntil(await rows.nextDueAt().catch(() => undefined));
  }

  return {
    add: async (chatId, messageIds, inMs) => {
      if (messageIds.length > 0) {
        await rows.add(chatId, messageIds, clock() + inMs);
        sleepUntil(await rows.nextDueAt());
      }
    },
    deleteDue,
    start: () => {
      isRunning = true;
      sleepUntil(clock());
    },
    stop: async () => {
      isRunning = false;
      clearTimeout(timer);
      await underWay;
    },
  };
}

/** By chat, as many as one call takes. */
function batches(
  due: readonly { readonly chatId: number; readonly messageId: number }[],
): readonly (readonly [chatId: number, ids: readonly number[]])[] {
  const ofChats = new Map<number, number[]>();
  for (const { chatId, messageId } of due) {
    const ids = ofChats.get(chatId) ?? [];
    ids.push(messageId);
    ofChats.set(chatId, ids);
  }
  return [...ofChats].flatMap(([chatId, ids]) =>
    Array.from(
      { length: Math.ceil(ids.length / idsPerCall) },
      (_, call) => [chatId, ids.slice(call * idsPerCall, (call + 1) * idsPerCall)] as const,
    ),
  );
}
