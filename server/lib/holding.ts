/**
 * Lets a process act for the bot: a lock of the database, which another process may get while this one stands still.
 * Work that was begun under a lock calls Telegram no more once the lock is lost.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

import { Unfinished } from './errors.ts';

export type Hold = {
  /** Once it returns false it never returns true again. */
  readonly isHeld: () => boolean;
};

/** Where no other process can act for the bot. */
export const alwaysHeld: Hold = { isHeld: () => true };

const current = new AsyncLocalStorage<Hold>();

/** Runs `work`, and all that it begins, under a lock. */
export const withHold = <Result>(hold: Hold, work: () => Result): Result => current.run(hold, work);

/** That of the work in progress; requests need none. */
export const currentHold = (): Hold => current.getStore() ?? alwaysHeld;

/** Throws `Unfinished` when the work in progress was begun under a lock that is lost. */
export function throwUnlessHeld(hold = currentHold()): void {
  if (!hold.isHeld()) {
    throw new Unfinished();
  }
}
