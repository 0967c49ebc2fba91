/**
 * Deletions that Telegram has not answered yet. Where they stand in the way of other messages they are
 * written down all together, and whoever waited goes on; the rows go when the answers have come.
 */
import { type DueDeletion } from '#server/db/due-deletions';

import { type Fate } from './deletion-calls.ts';

type Rows = {
  readonly write: (deletions: readonly DueDeletion[]) => Promise<void>;
  readonly postpone: (deletion: DueDeletion, at: number) => Promise<void>;
  readonly remove: (deletions: readonly DueDeletion[]) => Promise<void>;
  /** A row that is left is only tried once more. */
  readonly onFailure: (error: unknown) => void;
};

export type Unanswered = {
  /** The answer; undefined when the deletion was written down before it came. */
  readonly wait: (deletion: DueDeletion, fate: Promise<Fate>) => Promise<Fate | undefined>;
  /** Writes down what is waited for now. Rejects when the database fails. */
  readonly writeDown: () => Promise<void>;
  /** Resolves when the answers to all that was written down have come, and their rows are gone. */
  readonly settled: () => Promise<void>;
};

type Open = {
  readonly deletion: DueDeletion;
  readonly letGo: () => void;
  /** While it is being written down, and after; the answer may come meanwhile. */
  writing: Promise<void> | undefined;
};

/** Rows of answered deletions go together. */
const removeAfterMs = 250;

export function createUnanswered({ write, postpone, remove, onFailure }: Rows): Unanswered {
  const open = new Set<Open>();
  const following = new Set<Promise<void>>();
  let answered: DueDeletion[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function removeAnswered(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const gone = answered;
    answered = [];
    await remove(gone).catch(onFailure);
  }

  async function follow(
    deletion: DueDeletion,
    writing: Promise<void>,
    answer: Promise<Fate>,
  ): Promise<void> {
    await writing.catch(() => undefined);
    const fate = await answer;
    if (fate.kind === 'later') {
      await postpone(deletion, fate.at).catch(onFailure);
      return;
    }
    answered.push(deletion);
    timer ??= setTimeout(() => void removeAnswered(), removeAfterMs).unref();
  }

  return {
    async wait(deletion, fate) {
      const writtenDown = Promise.withResolvers<undefined>();
      const one: Open = {
        deletion,
        letGo: () => writtenDown.resolve(undefined),
        writing: undefined,
      };
      open.add(one);
      const early = await Promise.race([fate, writtenDown.promise]);
      open.delete(one);
      if (one.writing !== undefined) {
        const followed = follow(deletion, one.writing, fate);
        following.add(followed);
        void followed.then(() => following.delete(followed));
      }
      return early;
    },

    async writeDown() {
      const waiting = [...open];
      if (waiting.length === 0) {
        return;
      }
      const writing = write(waiting.map(({ deletion }) => deletion));
      for (const one of waiting) {
        one.writing = writing;
      }
      await writing;
      for (const { letGo } of waiting) {
        letGo();
      }
    },

    async settled() {
      await Promise.all(following);
      await removeAnswered();
    },
  };
}
