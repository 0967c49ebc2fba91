/**
 * Handles updates: those of one chat in order, those of different chats at the same time, and each one once,
 * however often it arrives. An update that cannot be stored is repeated: Telegram does not send it again
 * once it is confirmed.
 */
import { type Update } from 'grammy/types';
import { type Logger } from 'pino';

import { isDatabaseAway } from '#server/db/failures';

import { type Pause } from './retry.ts';

/** Adds work of an update that the next update of its chat does not wait for. The work may reject. */
type InBackground = (work: Promise<unknown>) => void;

export type HandleUpdate = (update: Update, inBackground: InBackground) => Promise<void>;

/** Thrown by a handler that has to stop before it is done: Telegram has to send the update again. */
class Unfinished extends Error {
  override readonly name = 'Unfinished';
}

type Outcome = 'done' | 'unfinished';

export type UpdateQueue = ReturnType<typeof createUpdateQueue>;

/** Telegram repeats what was not confirmed: a few hundred updates at most. */
const maxRemembered = 10_000;

/** `onFailure` gets what a handler threw; it must not throw itself. */
export function createUpdateQueue({
  handle,
  onFailure,
}: {
  readonly handle: HandleUpdate;
  readonly onFailure: (error: unknown, update: Update) => void;
}) {
  const inProgress = new Map<number, Promise<Outcome>>();
  const done = new Set<number>();
  const unfinished = new Set<number>();
  /** The last update of each chat that has any in progress. */
  const lanes = new Map<number, Promise<void>>();

  /** Without the background work, which is added to `background`. */
  async function handleAfter(
    before: Promise<void> | undefined,
    update: Update,
    background: Promise<void>[],
  ): Promise<void> {
    await before;
    const onError = (error: unknown) => {
      if (error instanceof Unfinished) {
        unfinished.add(update.update_id);
      } else {
        onFailure(error, update);
      }
    };
    try {
      await handle(update, (work) => void background.push(work.then(() => undefined, onError)));
    } catch (error) {
      onError(error);
    }
  }

  async function finish(
    update: Update,
    handling: Promise<void>,
    background: readonly Promise<void>[],
  ): Promise<Outcome> {
    await handling;
    const lane = getLane(update);
    if (lanes.get(lane) === handling) {
      lanes.delete(lane);
    }
    await Promise.all(background);
    inProgress.delete(update.update_id);
    if (unfinished.has(update.update_id)) {
      return 'unfinished';
    }
    done.add(update.update_id);
    const [oldest] = done;
    if (done.size > maxRemembered && oldest !== undefined) {
      done.delete(oldest);
    }
    return 'done';
  }

  return {
    /**
     * Resolves when the update is handled with all its background work, or left unfinished; never rejects.
     * One that is in progress or was done lately is not handled again.
     */
    handle(update: Update): Promise<Outcome> {
      const id = update.update_id;
      const known = done.has(id) ? Promise.resolve('done' as const) : inProgress.get(id);
      if (known !== undefined) {
        return known;
      }
      unfinished.delete(id);
      const lane = getLane(update);
      const background: Promise<void>[] = [];
      const handling = handleAfter(lanes.get(lane), update, background);
      lanes.set(lane, handling);
      const outcome = finish(update, handling, background);
      inProgress.set(id, outcome);
      return outcome;
    },

    isKnown: (updateId: number): boolean => done.has(updateId) || inProgress.has(updateId),
    /** The lowest id that is in progress or was left unfinished. */
    getFirstOpen: (): number | undefined => {
      const open = [...inProgress.keys(), ...unfinished];
      return open.length === 0 ? undefined : Math.min(...open);
    },
    /** Resolves when nothing is in progress. */
    settled: async (): Promise<void> => {
      await Promise.all(inProgress.values());
    },
  };
}

/** The chat of an update. Fields are checked although they have types: a malformed update must not stop the others. */
function getLane({ message, edited_message, my_chat_member, chat_member }: Update): number {
  return (message ?? edited_message ?? my_chat_member ?? chat_member)?.chat?.id ?? 0;
}

const firstPauseMs = 250;
const maxPauseMs = 15_000;

/**
 * Repeats `work` while the database is away. Throws what `work` throws for other reasons, and `Unfinished`
 * when the bot is stopped meanwhile.
 */
export type UntilStored = <T>(work: () => Promise<T>) => Promise<T>;

export function createUntilStored({
  pause,
  signal,
  log,
}: {
  readonly pause: Pause;
  readonly signal: AbortSignal;
  readonly log: Logger;
}): UntilStored {
  return async (work) => {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      try {
        return await work();
      } catch (error) {
        if (!isDatabaseAway(error)) {
          throw error;
        }
        const reason = error instanceof Error ? error.message : String(error);
        log.warn({ reason }, 'could not store an update; it is tried again');
      }
      await pause(pauseMs, signal);
      if (signal.aborted) {
        throw new Unfinished();
      }
    }
  };
}
