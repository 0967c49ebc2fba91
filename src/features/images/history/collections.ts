/**
 * Favourites, collections with names, and the selection. All of it stays on this device: records have the
 * marks, so that a deleted picture leaves its collections, and undoing brings it back into them.
 */
import { useEffect } from 'react';
import * as v from 'valibot';
import { create } from 'zustand';

import { toSearchable } from '#lib/search-term';
import { getUserId, onUserLeft, useSession } from '#lib/session';
import { storedValue } from '#lib/storage';

import { randomKey } from '../shared/generation-request.ts';
import { readableItems } from '../shared/recipe.ts';
import {
  changeRecords,
  type GenerationRecord,
  getRecords,
  isOwn,
  maxRecords,
} from '../shared/records.ts';

export const collectionLimits = { count: 50, nameLength: 40 } as const;

const collection = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(collectionLimits.nameLength)),
  /** As of a record: the Telegram user ID of the user who made it; absent for a visitor's. */
  owner: v.optional(v.string()),
});
export type Collection = v.InferOutput<typeof collection>;

const stored = storedValue('nori_collections', readableItems(collection));

/** Empty until a history is shown. */
const useStored = create<{ readonly all: readonly Collection[] }>()(() => ({ all: [] }));
onUserLeft(load);

function load(): void {
  useStored.setState({ all: stored.read() ?? [] });
}

/** Loads the collections, and follows the changes of other tabs while the calling component is mounted. */
export function useStoredCollections(): void {
  useEffect(() => {
    load();
    return stored.onChangedElsewhere(load);
  }, []);
}

/** The user's collections, by name. */
export function useCollections(): readonly Collection[] {
  const telegramId = getUserId(useSession());
  return useStored(({ all }) => all)
    .filter((one) => isOwn(one, telegramId))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Returns whether the change outlives the page. */
function change(write: (all: readonly Collection[]) => readonly Collection[]): boolean {
  const all = write(stored.read() ?? useStored.getState().all);
  useStored.setState({ all });
  return stored.write([...all]);
}

/** The name as it is stored; why it cannot be taken. */
export function checkName(
  typed: string,
  others: readonly Collection[],
): { readonly name: string; readonly problem?: 'empty' | 'taken' } {
  const name = typed.trim().replaceAll(/\s+/g, ' ').slice(0, collectionLimits.nameLength);
  if (name === '') {
    return { name, problem: 'empty' };
  }
  const isTaken = others.some((other) => toSearchable(other.name) === toSearchable(name));
  return isTaken ? { name, problem: 'taken' } : { name };
}

/** The new collection, and whether it outlives the page. */
export function createCollection(name: string): {
  readonly made: Collection;
  readonly isStored: boolean;
} {
  const made = { id: randomKey().slice(0, 8), name, owner: getUserId() };
  return { made, isStored: change((all) => [...all, made]) };
}

export function renameCollection(id: string, name: string): boolean {
  return change((all) => all.map((one) => (one.id === id ? { ...one, name } : one)));
}

/** The pictures stay. `undo` brings the collection back with those that were in it. */
export function deleteCollection({ id }: Collection): { readonly undo: () => void } {
  const before = useStored.getState().all.find((one) => one.id === id);
  const members = getRecords().filter((record) => record.collections?.includes(id) === true);
  change((all) => all.filter((one) => one.id !== id));
  putIntoCollection(members, id, false);
  return {
    undo: () => {
      if (before) {
        change((all) => [...all, before]);
        putIntoCollection(members, id, true);
      }
    },
  };
}

/** Returns whether the device keeps it. */
export function setFavourite(records: readonly GenerationRecord[], isFavourite: boolean): boolean {
  return mark(records, () => ({ isFavourite: isFavourite || undefined }));
}

/** Returns whether the device keeps it. */
export function putIntoCollection(
  records: readonly GenerationRecord[],
  id: string,
  isIn: boolean,
): boolean {
  return mark(records, ({ collections = [] }) => {
    const others = collections.filter((one) => one !== id);
    const all = isIn ? [...others, id] : others;
    return { collections: all.length === 0 ? undefined : all };
  });
}

type Marks = Pick<GenerationRecord, 'isFavourite' | 'collections'>;

function mark(
  records: readonly GenerationRecord[],
  toMarks: (record: GenerationRecord) => Partial<Marks>,
): boolean {
  const ids = new Set(records.map(({ id }) => id));
  const isStored = changeRecords((all) => {
    const known = new Set(all.map(({ id }) => id));
    // Records that only the server has are added, as a mark needs a place on the device; not in place of others.
    const added = records
      .filter(({ id }) => !known.has(id))
      .slice(0, Math.max(0, maxRecords - all.length));
    return [...all, ...added].map((record) =>
      ids.has(record.id) ? Object.assign({}, record, toMarks(record)) : record,
    );
  });
  const kept = new Set(getRecords().map(({ id }) => id));
  return isStored && records.every(({ id }) => kept.has(id));
}

type Selection = {
  /** Cards are ticked instead of opened. */
  readonly isOn: boolean;
  readonly ids: readonly string[];
};

const nothing: Selection = { isOn: false, ids: [] };

/** The ticked cards of the shown history. */
export const useSelection = create<Selection>()(() => nothing);
onUserLeft(stopSelecting);

export function stopSelecting(): void {
  useSelection.setState(nothing);
}

export function select(ids: readonly string[]): void {
  useSelection.setState({ isOn: true, ids });
}

export function toggleSelected(id: string): void {
  const { ids } = useSelection.getState();
  select(ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]);
}
