/**
 * The records of pictures, on this device: what is shown, and what is kept of it. Every change starts
 * from what is kept, so that two tabs do not undo each other's.
 */
import * as v from 'valibot';
import { create } from 'zustand';

import { type ProviderId } from '#contract/images/providers';
import { useSession } from '#lib/session';
import { storedValue } from '#lib/storage';

import { type GenerationRecord, generationRecord } from './records.ts';

/** Rows that are kept; at about 1 kB each this leaves room in the 5 MB that browsers give. */
const maxRecords = 2000;

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
  /** What each provider finished last, on this page. */
  readonly latestIds: Partial<Record<ProviderId, string>>;
  /** The person has put away what the result showed; what is finished next brings it back. */
  readonly dismissed: readonly ProviderId[];
};

/** Empty until the page is alive, as in the prerendered page. */
const useRecordsStore = create<Records>()(() => ({
  all: [],
  latestIds: {},
  dismissed: [],
}));

/** All records as they are now, for code outside React. */
export function getRecords(): readonly GenerationRecord[] {
  return useRecordsStore.getState().all;
}

/** Takes up what the device has kept. */
export function loadRecords(): void {
  useRecordsStore.setState({ all: kept.read() ?? [] });
}

/** Takes up what the device has kept; where that cannot be read, the list that is shown is restored. */
export function refreshRecords(): void {
  const all = kept.read();
  if (all === undefined) {
    kept.write([...getRecords()]);
  } else {
    useRecordsStore.setState({ all });
  }
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
    .slice(0, maxRecords);
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

/** The person's records of a provider on this device, newest first, without deleted ones. */
export function useRecords(provider: ProviderId): readonly GenerationRecord[] {
  const all = useRecordsStore((state) => state.all);
  const session = useSession();
  const telegramId = session.status === 'member' ? session.telegramId : undefined;
  return all.filter(
    (record) =>
      record.provider === provider && record.deletedAt === undefined && isOwn(record, telegramId),
  );
}

/** What the result shows: what was finished last, else the newest that this device has. */
export function useLatestGeneration(provider: ProviderId): GenerationRecord | undefined {
  const { latestIds, dismissed } = useRecordsStore();
  const finished = useRecords(provider).filter(({ status }) => status === 'completed');
  if (dismissed.includes(provider)) {
    return undefined;
  }
  return finished.find(({ id }) => id === latestIds[provider]) ?? finished[0];
}

/** What the provider finished last on this page; undefined before the first. */
export function useLatestId(provider: ProviderId): string | undefined {
  return useRecordsStore(({ latestIds }) => latestIds[provider]);
}

/** Puts away what the result shows; the pictures themselves stay in the history. */
export function dismissLatest(provider: ProviderId): void {
  useRecordsStore.setState(({ dismissed }) => ({ dismissed: [...dismissed, provider] }));
}

/** Makes a record its provider's latest. */
export function setLatest({ id, provider }: GenerationRecord): void {
  useRecordsStore.setState(({ latestIds, dismissed }) => ({
    latestIds: { ...latestIds, [provider]: id },
    dismissed: dismissed.filter((one) => one !== provider),
  }));
}
