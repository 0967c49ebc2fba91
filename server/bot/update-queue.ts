/**
 * Works updates off: those of one chat in their order, those of different chats at the same time,
 * and each one once, however often it arrives.
 */
import { type Update } from 'grammy/types';

/** Work of an update that the next one of its chat need not wait for. It may reject. */
type Alongside = (work: Promise<unknown>) => void;

export type HandleUpdate = (update: Update, alongside: Alongside) => Promise<void>;

/** Thrown by a handler that has to stop before it is done: the update has to come again. */
export class Unfinished extends Error {
  override readonly name = 'Unfinished';
}

export type UpdateQueue = {
  /**
   * Hands an update in. Resolves when it is worked off with all that belongs to it, or left
   * unfinished; never rejects. One that is under way or was done lately is not begun again.
   */
  readonly take: (update: Update) => Promise<'done' | 'unfinished'>;
  readonly isKnown: (updateId: number) => boolean;
  /** The lowest id that is still being worked on, or was left unfinished. */
  readonly firstOpen: () => number | undefined;
  /** Resolves when nothing is under way. */
  readonly settled: () => Promise<void>;
};

/** Telegram repeats what was not confirmed: a few hundred at most. */
const remembered = 10_000;

/** `onFailure` hears what a handler threw; it must not throw itself. */
export function createUpdateQueue({
  handle,
  onFailure,
}: {
  readonly handle: HandleUpdate;
  readonly onFailure: (error: unknown, update: Update) => void;
}): UpdateQueue {
  const underWay = new Map<number, Promise<'done' | 'unfinished'>>();
  const done = new Set<number>();
  const unfinished = new Set<number>();
  /** The last update of each chat that has any under way. */
  const lanes = new Map<number, Promise<void>>();

  async function work(update: Update, before: Promise<void> | undefined, rest: Promise<void>[]) {
    await before;
    const failed = (error: unknown) => {
      if (error instanceof Unfinished) {
        unfinished.add(update.update_id);
      } else {
        onFailure(error, update);
      }
    };
    try {
      await handle(update, (part) => void rest.push(part.then(() => undefined, failed)));
    } catch (error) {
      failed(error);
    }
  }

  async function finish(
    update: Update,
    turn: Promise<void>,
    rest: Promise<void>[],
  ): Promise<'done' | 'unfinished'> {
    await turn;
    const lane = laneOf(update);
    if (lanes.get(lane) === turn) {
      lanes.delete(lane);
    }
    await Promise.all(rest);
    underWay.delete(update.update_id);
    if (unfinished.has(update.update_id)) {
      return 'unfinished';
    }
    remember(update.update_id);
    return 'done';
  }

  function remember(updateId: number): void {
    done.add(updateId);
    const [oldest] = done;
    if (done.size > remembered && oldest !== undefined) {
      done.delete(oldest);
    }
  }

  return {
    take(update) {
      const id = update.update_id;
      const known = done.has(id) ? Promise.resolve('done' as const) : underWay.get(id);
      if (known !== undefined) {
        return known;
      }
      unfinished.delete(id);
      const rest: Promise<void>[] = [];
      const turn = work(update, lanes.get(laneOf(update)), rest);
      lanes.set(laneOf(update), turn);
      const whole = finish(update, turn, rest);
      underWay.set(id, whole);
      return whole;
    },

    isKnown: (updateId) => done.has(updateId) || underWay.has(updateId),
    firstOpen: () => {
      const open = [...underWay.keys(), ...unfinished];
      return open.length === 0 ? undefined : Math.min(...open);
    },
    settled: async () => {
      await Promise.all(underWay.values());
    },
  };
}

/** What orders an update: its chat. Nothing is believed of what came from outside: a mangled one must not stop the others. */
function laneOf({ message, edited_message, my_chat_member, chat_member }: Update): number {
  return (message ?? edited_message ?? my_chat_member ?? chat_member)?.chat?.id ?? 0;
}
