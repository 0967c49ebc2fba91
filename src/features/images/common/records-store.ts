/**
 * The records of pictures, on this device: what is shown, and what is kept of it. Every change starts
 * from what is kept, so that two tabs do not undo each other's.
 */
import * as v from 'valibot';
import { create } from 'zustand';

import { useSession } from '#lib/session';
import { storedValue } from '#lib/storage';

import { type GenerationRecord, generationRecord } from './records.ts';

/** Rows that are kept; at about 1 kB each this leaves room in the 5 MB that browsers give. */
const mostRecords = 2000;

/** One row that cannot be read must not take the others with it. */
const rows = v.pipe(
  v.array(v.unknown()),
  v.transform((items) =>
    items.flatMap((item) => {
      const parsed = v.safeParse(generationRecord, item);
      return parsed.success ? [parsed.output] : [];
    }),
  ),
);

const kept = storedValue('nori_generation_history', rows);

type Records = {
  /** Newest first, deleted ones included until they are gone for good. */
  readonly all: readonly GenerationRecord[];
  /** The picture that was finished last, on this page. */
  readonly latestId: string | undefined;
  /** The person has put away what the result panel showed; a finished picture brings it back. */
  readonly isLatestDismissed: boolean;
};

/** Empty until the page is alive, as in the prerendered page. */
const useRecordsStore = create<Records>()(() => ({
  all: [],
  latestId: undefined,
  isLatestDismissed: false,
}));

/** All records as they are now, for code outside React. */
export function getRecords(): readonly GenerationRecord[] {
  return useRecordsStore.getState().all;
}

/** Takes up what the device has kept. */
export function loadRecords(): void {
  useRecordsStore.setState({ all: kept.read() ?? [] });
}

/** Follows other tabs. Returns the undo. */
export function followRecords(): () => void {
  return kept.onChangedElsewhere(loadRecords);
}

/**
 * Changes the records. Answers whether the change outlives the page; it does not when the device has
 * no room.
 */
export function changeRecords(
  change: (all: readonly GenerationRecord[]) => readonly GenerationRecord[],
): boolean {
  const all = change(kept.read() ?? [])
    .toSorted((a, b) => b.timestamp - a.timestamp)
    .slice(0, mostRecords);
  useRecordsStore.setState({ all });
  return kept.write([...all]);
}

/** Changes one record; one that is gone stays gone. */
export function changeRecord(id: string, change: Partial<GenerationRecord>): boolean {
  return changeRecords((all) =>
    all.map((record) => (record.id === id ? { ...record, ...change } : record)),
  );
}

/** Shows records that are not to be kept: what a session that has just ended leaves on the page. */
export function showRecords(all: readonly GenerationRecord[]): void {
  useRecordsStore.setState({ all });
}

/** Whether a person may see a record: their own, and what this device's guest has made. */
export function isOwn({ owner }: GenerationRecord, telegramId: string | undefined): boolean {
  return owner === undefined || owner === telegramId;
}

/** The person's pictures on this device, newest first, without deleted ones. */
export function useRecords(): readonly GenerationRecord[] {
  const all = useRecordsStore((state) => state.all);
  const session = useSession();
  const telegramId = session.status === 'member' ? session.telegramId : undefined;
  return all.filter((record) => record.deletedAt === undefined && isOwn(record, telegramId));
}

/** What the result panel shows: the picture finished last, else the newest that this device has. */
export function useLatestGeneration(): GenerationRecord | undefined {
  const { latestId, isLatestDismissed } = useRecordsStore();
  const finished = useRecords().filter(({ status }) => status === 'completed');
  if (isLatestDismissed) {
    return undefined;
  }
  return finished.find(({ id }) => id === latestId) ?? finished[0];
}

/** Puts away what the result panel shows; the picture itself stays in the history. */
export function dismissLatest(): void {
  useRecordsStore.setState({ isLatestDismissed: true });
}

/** Makes a picture the latest. */
export function setLatest(id: string): void {
  useRecordsStore.setState({ latestId: id, isLatestDismissed: false });
}
