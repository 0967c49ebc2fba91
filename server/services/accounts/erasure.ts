/**
 * Deletes an account with all that is stored about its user, within the call: what is under way ends first, then the
 * rows go in one transaction, then the files, and last what is kept in memory.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { type Dependencies } from '#server/app/dependencies';
import { type ErasedUser, eraseUser, forgetDeletedBytes } from '#server/db/erasure';
import { isDatabaseAway } from '#server/db/failures';
import { createErasedMarks } from '#server/lib/derived-keys';

/** What a module does for an erasure. */
type Participant = {
  /** Ends what the user has under way, and saves what waits in memory, so that the rows are all there. */
  readonly settle?: (telegramId: number) => Promise<unknown> | void;
  /** Removes the files, and forgets what is kept in memory. */
  readonly forget?: (telegramId: number, erased: ErasedUser) => Promise<unknown> | void;
};

export type Erasure = ReturnType<typeof createErasure>;

const maxTries = 3;
const waitMs = 100;

export function createErasure({ database, clock, keptKeys, log }: Dependencies) {
  const participants: Participant[] = [];
  const toMarks = createErasedMarks(keptKeys.erasedIds);
  const mark = (telegramId: number) => toMarks(telegramId)[0];

  /** Two transactions that wait for each other's rows: one of them is to begin anew. */
  async function eraseRows(telegramId: number, tries = 1): Promise<ErasedUser> {
    try {
      return await database.db
        .transaction()
        .execute((tx) => eraseUser(tx, { telegramId, mark, now: clock() }));
    } catch (error) {
      if (tries === maxTries || !isDatabaseAway(error)) {
        throw error;
      }
      await sleep(waitMs * tries);
      return eraseRows(telegramId, tries + 1);
    }
  }

  return {
    /** To be called when the server is put together. */
    join: (participant: Participant): void => void participants.push(participant),

    /** Resolves when everything is deleted. Rejects when the database fails, and then nothing is. */
    async erase(telegramId: number): Promise<void> {
      for (const { settle } of participants) {
        await settle?.(telegramId);
      }
      const erased = await eraseRows(telegramId);
      for (const { forget } of participants) {
        try {
          await forget?.(telegramId, erased);
        } catch (error) {
          // The account is gone. Files that could not be removed are swept later.
          log.error({ err: error }, 'Could not remove all of a deleted account');
        }
      }
      await forgetDeletedBytes(database).catch((error: unknown) => {
        log.error({ err: error }, 'Could not shorten the log of the database');
      });
    },
  };
}
