/**
 * Deletes an account with all that is stored about its user, within the call: what is under way ends first, then the
 * rows go in one transaction, then their objects, and last what is kept in memory.
 */
import { type Kysely } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Dependencies } from '#server/app/dependencies';
import { type ErasedUser, eraseUser, forgetDeletedBytes } from '#server/db/erasure';
import { isDatabaseAway } from '#server/db/failures';
import { addLooseObjects, removeLooseObjects } from '#server/db/loose-objects';
import { type Tables } from '#server/db/tables';
import { createErasedMarks } from '#server/lib/derived-keys';

/** What a module does for an erasure. */
type Participant = {
  /** Ends what the user has under way, and saves what waits in memory, so that the rows are all there. */
  readonly settle?: (telegramId: number) => Promise<unknown> | void;
  /** Saves in the transaction what others are to hear; the returned function is called after the commit. */
  readonly saveEvents?: (
    tx: Kysely<Tables>,
    telegramId: number,
    erased: ErasedUser,
  ) => Promise<() => void>;
  /** Names the objects of the user in the store. */
  readonly listObjects?: (erased: ErasedUser) => readonly string[];
  /** Forgets what is kept in memory. */
  readonly forget?: (telegramId: number, erased: ErasedUser) => Promise<unknown> | void;
};

export type Erasure = ReturnType<typeof createErasure>;

const maxTries = 3;
const waitMs = 100;

export function createErasure({ database, clock, keptKeys, log, objects }: Dependencies) {
  const participants: Participant[] = [];
  const toMarks = createErasedMarks(keptKeys.erasedIds);
  const mark = (telegramId: number) => toMarks(telegramId)[0];

  async function saveEvents(
    tx: Kysely<Tables>,
    telegramId: number,
    erased: ErasedUser,
  ): Promise<() => void> {
    const publishing: (() => void)[] = [];
    for (const participant of participants) {
      const publishSaved = await participant.saveEvents?.(tx, telegramId, erased);
      publishing.push(...(publishSaved === undefined ? [] : [publishSaved]));
    }
    return () => publishing.forEach((publishSaved) => publishSaved());
  }

  const listObjects = (erased: ErasedUser) =>
    participants.flatMap((participant) => participant.listObjects?.(erased) ?? []);

  /** Two transactions that wait for each other's rows: one of them is to begin anew. */
  async function eraseRows(telegramId: number, tries = 1): Promise<ErasedUser> {
    try {
      const { erased, publishSaved } = await database.db.transaction().execute(async (tx) => {
        const deleted = await eraseUser(tx, { telegramId, mark, now: clock() });
        await addLooseObjects(tx, listObjects(deleted), clock());
        return { erased: deleted, publishSaved: await saveEvents(tx, telegramId, deleted) };
      });
      publishSaved();
      return erased;
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
      await removeLooseObjects({ database, objects }, listObjects(erased));
      for (const { forget } of participants) {
        try {
          await forget?.(telegramId, erased);
        } catch (error) {
          // The account is gone.
          log.error({ err: error }, 'Could not forget all of a deleted account');
        }
      }
      await forgetDeletedBytes(database).catch((error: unknown) => {
        log.error({ err: error }, 'Could not shorten the log of the database');
      });
    },
  };
}
