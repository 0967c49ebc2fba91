/**
 * The records of generations on this device, made and being made. Every change starts from the stored
 * records, so that two tabs do not undo each other's changes.
 */
import * as v from 'valibot';
import { create } from 'zustand';

import { type ProviderId } from '#contract/images/providers';
import { getUserId, onUserLeft, useSession } from '#lib/session';
import { storedValue } from '#lib/storage';

import { readableItems, recipe } from './recipe.ts';

/** One generation. Seeds and ids are text; times are epoch milliseconds. */
const generationRecord = v.object({
  ...recipe.entries,
  /** Made on this device; the server's own id is `remoteId`. */
  id: v.pipe(v.string(), v.nonEmpty()),
  status: v.picklist(['pending', 'completed', 'error']),
  timestamp: v.number(),
  /** The server's link to the picture, when the server has it. */
  imageUrl: v.optional(v.string()),
  /** All links, where one generation makes several pictures; the first is the `imageUrl`. */
  imageUrls: v.optional(v.array(v.string())),
  thumbnailUrl: v.optional(v.string()),
  /** Pixels, when known. */
  width: v.optional(v.number()),
  height: v.optional(v.number()),
  error: v.optional(v.string()),
  /** Of a failed generation: the server was out of reach, and may have made the picture all the same. */
  isUndecided: v.optional(v.boolean()),
  tags: v.optional(v.array(v.string()), []),
  /** Such as `sketch` (offline, without AI) or `pixai`. */
  engine: v.optional(v.string()),
  remoteId: v.optional(v.string()),
  /** When an upload was begun. */
  uploadedAt: v.optional(v.number()),
  /** The server has taken an upload, whatever it answered. */
  isTaken: v.optional(v.boolean()),
  /** The Telegram user ID of the user who made it; absent for a visitor's. */
  owner: v.optional(v.string()),
  /** The server got the model's name, which it does not list with the picture. */
  isNameSent: v.optional(v.boolean()),
  /** See `jobKey` in the contract. */
  jobKey: v.optional(v.string()),
  /** The bot tells the user when it is ready. */
  isAwaited: v.optional(v.boolean()),
  /** Set from the moment the user deletes it until that can no longer be undone. */
  deletedAt: v.optional(v.number()),
  /** Of a deleted one: the server does not delete it, so the record stays to hide it. */
  isKeptByServer: v.optional(v.boolean()),
  /** A server that can restore it was told to delete it: it may be in its bin. */
  isInBin: v.optional(v.boolean()),
  isFavourite: v.optional(v.boolean()),
  /** The ids of the collections that it is in. */
  collections: v.optional(v.array(v.string())),
});
export type GenerationRecord = v.InferOutput<typeof generationRecord>;

/** The id on this device of a picture that came from the server. */
export function savedId(remoteId: string): string {
  return `saved-${remoteId}`;
}

/** Stands between a record's id and the index of one of its further pictures. */
const separator = '~';

/** The id of one of a record's pictures; the first has the record's own. */
export function pictureId(recordId: string, index: number): string {
  return index === 0 ? recordId : `${recordId}${separator}${index}`;
}

/** The id of the record that a picture belongs to. */
export function getRecordId(id: string): string {
  return id.split(separator, 1)[0] ?? id;
}

/** The index of a picture among those of its record, counted from 0. */
export function getPictureIndex(id: string): number {
  return Number(id.split(separator, 2)[1] ?? 0);
}

/** Splits a record into one record for each of its pictures, to be shown and saved one by one. */
export function toPictures(record: GenerationRecord): readonly GenerationRecord[] {
  const { id, imageUrls = [] } = record;
  const others = imageUrls.slice(1).map((imageUrl, index) =>
    Object.assign({}, record, {
      id: pictureId(id, index + 1),
      imageUrl,
      thumbnailUrl: undefined,
    }),
  );
  return [record, ...others];
}

/** At about 1 kB a record this leaves room in the 5 MB that browsers give. */
export const maxRecords = 2000;

const stored = storedValue('nori_generation_history', readableItems(generationRecord));

type RecordsState = {
  /** Newest first, deleted ones included until they are gone for good. */
  readonly all: readonly GenerationRecord[];
  /** The generation that each provider finished last, on this page. */
  readonly latestIds: Partial<Record<ProviderId, string>>;
  /** Providers whose result the user has cleared; their next generation is shown again. */
  readonly dismissed: readonly ProviderId[];
};

/** Empty until `loadRecords`, as in the prerendered page. */
const useRecordsStore = create<RecordsState>()(() => ({
  all: [],
  latestIds: {},
  dismissed: [],
}));

onUserLeft(() => {
  useRecordsStore.setState({ latestIds: {}, dismissed: [] });
  loadRecords();
});

/** All records as they are now, for code outside React. */
export function getRecords(): readonly GenerationRecord[] {
  return useRecordsStore.getState().all;
}

/** Reads the stored records. */
export function loadRecords(): void {
  useRecordsStore.setState({ all: stored.read() ?? [] });
}

/** Reads the stored records; where they cannot be read, stores those that are shown. */
export function refreshRecords(): void {
  const all = stored.read();
  if (all === undefined) {
    stored.write([...getRecords()]);
  } else {
    useRecordsStore.setState({ all });
  }
}

/** Follows the changes of other tabs. Returns the function that stops it. */
export function followRecords(): () => void {
  return stored.onChangedElsewhere(loadRecords);
}

/** Returns whether the change is stored; it is not when the device has no room. */
export function changeRecords(
  change: (all: readonly GenerationRecord[]) => readonly GenerationRecord[],
): boolean {
  const before = stored.read();
  const all = change(before ?? [])
    .toSorted((a, b) => b.timestamp - a.timestamp)
    .slice(0, maxRecords);
  useRecordsStore.setState({ all });
  // What ends after a logout leaves nothing on the device.
  return (before === undefined && all.length === 0) || stored.write([...all]);
}

/** Changes one record; does nothing when there is none with this id. */
export function changeRecord(id: string, change: Partial<GenerationRecord>): boolean {
  return changeRecords((all) =>
    all.map((record) => (record.id === id ? { ...record, ...change } : record)),
  );
}

/** Whether a record belongs to this user, or was made on this device without an account. */
export function isOwn(
  { owner }: Pick<GenerationRecord, 'owner'>,
  telegramId: string | undefined,
): boolean {
  return owner === undefined || owner === telegramId;
}

/** The user's records of a provider on this device, newest first, without deleted ones. */
export function useRecords(provider: ProviderId): readonly GenerationRecord[] {
  const all = useRecordsStore((state) => state.all);
  const telegramId = getUserId(useSession());
  return all.filter(
    (record) =>
      record.provider === provider && record.deletedAt === undefined && isOwn(record, telegramId),
  );
}

/** The generation to show as the result: the one finished last, else the newest on this device. */
export function useLatestGeneration(provider: ProviderId): GenerationRecord | undefined {
  const { latestIds, dismissed } = useRecordsStore();
  const finished = useRecords(provider).filter(({ status }) => status === 'completed');
  if (dismissed.includes(provider)) {
    return undefined;
  }
  return finished.find(({ id }) => id === latestIds[provider]) ?? finished[0];
}

/** The id of the generation finished last on this page; undefined before the first. */
export function useLatestId(provider: ProviderId): string | undefined {
  return useRecordsStore(({ latestIds }) => latestIds[provider]);
}

/** Clears the result; the pictures stay in the history. */
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
