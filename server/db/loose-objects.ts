/**
 * Objects of the store that no other row holds. A name is written here before its object is stored, and taken out by the
 * transaction that writes the row it belongs to; the transaction that removes such a row puts it back. So what a crash
 * leaves is found by its row, and nothing lists the store.
 */
import { type Kysely } from 'kysely';

import { AppError } from '#server/lib/errors';
import { looseRules } from '#server/lib/limits';
import { type ObjectStore } from '#server/lib/object-store';

import { type Database } from './client.ts';
import { type Tables } from './tables.ts';

/** A query can have only so many parameters. */
const batchSize = 500;
/** How many objects are removed at once. */
const atOnce = 10;

type Place = { readonly database: Pick<Database, 'db' | 'engine'>; readonly objects: ObjectStore };

/**
 * Writes down objects that are about to be stored, and are removed at `removeAt` unless they are claimed. Throws `busy`
 * while one of the same name is being removed.
 */
export async function addLooseObjects(
  db: Kysely<Tables>,
  names: readonly string[],
  removeAt: number,
): Promise<void> {
  for (const batch of toBatches(names)) {
    const added = await db
      .insertInto('loose_objects')
      .values(batch.map((name) => ({ name, remove_at: removeAt })))
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ remove_at: removeAt })
          .where('loose_objects.held_until', '=', 0),
      )
      .returning('name')
      .execute();
    throwUnlessAll(added, batch);
  }
}

/** Inside the transaction that writes the row they belong to. Throws `busy` when one was removed meanwhile. */
export async function claimObjects(tx: Kysely<Tables>, names: readonly string[]): Promise<void> {
  for (const batch of toBatches(names)) {
    const claimed = await tx
      .deleteFrom('loose_objects')
      .where('name', 'in', batch)
      .where('held_until', '=', 0)
      .returning('name')
      .execute();
    throwUnlessAll(claimed, batch);
  }
}

function throwUnlessAll(found: readonly unknown[], names: readonly string[]): void {
  if (found.length < names.length) {
    throw new AppError('busy', { retryAfterS: looseRules.busyRetryS });
  }
}

/**
 * Removes loose objects at once, after the transaction that removed their rows. What the store does not remove now is removed
 * by a sweep: never rejects.
 */
export async function removeLooseObjects(
  { database, objects }: Place,
  names: readonly string[],
): Promise<void> {
  try {
    for (let at = 0; at < names.length; at += atOnce) {
      const { failure } = await removeSome({ database, objects }, names.slice(at, at + atOnce));
      if (failure !== undefined) {
        // The next ones would wait as long for a store that is away.
        return;
      }
    }
  } catch {
    // The rows stay.
  }
}

/** Removes what is due, a part of it at a time. Throws when the store did not remove everything, which is tried again later. */
export async function sweepLooseObjects(place: Place, now: number): Promise<void> {
  const failures: unknown[] = [];
  let isAway = false;
  let held = 0;
  do {
    const names = await holdDue(place.database, now);
    held = names.length;
    for (let at = 0; at < names.length && !isAway; at += atOnce) {
      const some = names.slice(at, at + atOnce);
      const { removed, failure } = await removeSome(place, some);
      failures.push(...(failure === undefined ? [] : [failure.reason]));
      // One that cannot be removed keeps none of the others, but a store that is away is left alone.
      isAway = removed.length === 0;
    }
  } while (held === batchSize && !isAway);
  if (failures.length > 0) {
    throw failures[0];
  }
}

/** Keeps others from storing and removing them. */
async function holdDue({ db, engine }: Place['database'], now: number): Promise<readonly string[]> {
  const rows = await db
    .with('due', (cte) => {
      const due = cte
        .selectFrom('loose_objects')
        .select('name')
        .where('remove_at', '<=', now)
        .where('held_until', '<=', now)
        .orderBy('held_until')
        .orderBy('remove_at')
        .limit(batchSize);
      return engine === 'postgres' ? due.forUpdate().skipLocked() : due;
    })
    .updateTable('loose_objects')
    .set({ held_until: now + looseRules.holdMs })
    .where('name', 'in', (eb) => eb.selectFrom('due').select('name'))
    .returning('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Removes the objects, and the rows of those that the store has removed. Returns both. */
async function removeSome({ database, objects }: Place, names: readonly string[]) {
  const outcomes = await Promise.allSettled(names.map((name) => objects.remove(name)));
  const removed = names.filter((_name, index) => outcomes[index]?.status === 'fulfilled');
  if (removed.length > 0) {
    await database.db.deleteFrom('loose_objects').where('name', 'in', removed).execute();
  }
  return { removed, failure: outcomes.find((outcome) => outcome.status === 'rejected') };
}

function toBatches(names: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(names.length / batchSize) }, (_, index) =>
    names.slice(index * batchSize, (index + 1) * batchSize),
  );
}
