/** The history: the generations that this device has and, for a logged-in user, those on the server, as one list. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

import { type ProviderId } from '#contract/images/providers';
import { ApiError, renewRefusedToken } from '#lib/api';
import { getSession, getUserId, useSession } from '#lib/session';

import { isDeletedOnServer, restoreOnServer } from './deletion.ts';
import { logFailure } from './log-failure.ts';
import { removePictures } from './pictures.ts';
import { type ProviderAdapter, type RecordPair } from './provider-adapter.ts';
import { pairRecords } from './record-pairs.ts';
import {
  changeRecords,
  getRecords,
  isOwn,
  refreshRecords,
  useLatestId,
  useRecords,
  type GenerationRecord,
} from './records.ts';

/** Records of the server that are stored on the device, to be shown when the server cannot be reached. */
const maxStoredFromServer = 200;

/** The detail with which some backends refuse a token, under different statuses. */
const notAuthenticated = 'Not authenticated';

const historyKey = (provider: ProviderId) => ['generations', provider] as const;

const historyQuery = (adapter: ProviderAdapter, telegramId: string | undefined) =>
  queryOptions({
    queryKey: [...historyKey(adapter.id), telegramId],
    queryFn: ({ signal }) => readHistory(adapter, telegramId, signal),
    refetchOnMount: 'always',
  });

type History = {
  /** Newest first. */
  readonly records: readonly GenerationRecord[];
  /** `loading` only while there is nothing to show yet. */
  readonly status: 'loading' | 'ready';
  readonly isRefreshing: boolean;
  /** Reads it again; never rejects. */
  readonly refresh: () => Promise<void>;
};

/** The user's generations by one provider. */
export function useHistory(adapter: ProviderAdapter): History {
  const session = useSession();
  const isMember = session.status === 'member';
  const telegramId = isMember ? session.telegramId : undefined;
  const query = useQuery({ ...historyQuery(adapter, telegramId), enabled: isMember });
  const local = useRecords(adapter.id);
  const known = new Set(getRecords().map(({ remoteId }) => remoteId));
  const onlyOnServer = (query.data ?? []).filter(
    (record) => !known.has(record.remoteId) && !isDeletedOnServer(record),
  );
  const records = [...local, ...onlyOnServer].toSorted((a, b) => b.timestamp - a.timestamp);

  return {
    records,
    status: isMember && query.isPending && records.length === 0 ? 'loading' : 'ready',
    isRefreshing: query.isFetching,
    refresh: async () => {
      refreshRecords();
      if (isMember) {
        await query.refetch();
      }
    },
  };
}

/** Reads the server's history again whenever a generation is finished on this page. */
export function useReloadWhenMade({ id }: ProviderAdapter): void {
  const client = useQueryClient();
  const latestId = useLatestId(id);
  const known = useRef(latestId);

  useEffect(() => {
    if (latestId !== known.current) {
      known.current = latestId;
      void client.invalidateQueries({ queryKey: historyKey(id) });
    }
  }, [client, id, latestId]);
}

/** Reads the server's list into the records. After a failure, also of a refused token, the records stay shown. */
async function readHistory(
  adapter: ProviderAdapter,
  telegramId: string | undefined,
  signal: AbortSignal,
): Promise<readonly GenerationRecord[]> {
  const cached = getRecords();
  try {
    const saved = await listWithValidToken(adapter, telegramId, signal);
    if (getUserId() !== telegramId) {
      // The user has logged out meanwhile.
      return [];
    }
    mergeRecords({ adapter, saved, telegramId, cached });
    return saved;
  } catch (error) {
    logFailure('The history could not be loaded', error);
    throw error;
  }
}

async function listWithValidToken(
  adapter: ProviderAdapter,
  telegramId: string | undefined,
  signal: AbortSignal,
): Promise<readonly GenerationRecord[]> {
  const session = getSession();
  try {
    return await adapter.list(telegramId, signal);
  } catch (error) {
    // After a 401 the call itself has renewed or ended the session.
    const isRefused =
      error instanceof ApiError && error.status !== 401 && error.detail === notAuthenticated;
    if (isRefused && session.status === 'member' && (await renewRefusedToken(session.token))) {
      return adapter.list(telegramId, signal);
    }
    throw error;
  }
}

type Reading = {
  readonly adapter: ProviderAdapter;
  readonly telegramId: string | undefined;
  /** The device's records at the time of the request. */
  readonly cached: readonly GenerationRecord[];
  readonly saved: readonly GenerationRecord[];
};

/** Updates the device's records from the server's. */
function mergeRecords({ adapter, saved, telegramId, cached }: Reading): void {
  // A record that was saved after the request is not in the answer.
  const savedBefore = new Set(cached.map(({ remoteId }) => remoteId));
  // The list may be cut off; records older than its end may still be on the server.
  const oldest = Math.min(...saved.map(({ timestamp }) => timestamp));
  const isGone = ({ remoteId, timestamp }: GenerationRecord) =>
    remoteId !== undefined &&
    savedBefore.has(remoteId) &&
    (saved.length === 0 || timestamp >= oldest);
  const isMine = (record: GenerationRecord) =>
    record.provider === adapter.id && record.owner !== undefined && isOwn(record, telegramId);

  const goneIds: string[] = [];
  const missing: GenerationRecord[] = [];
  const binned: GenerationRecord[] = [];
  const pairs: RecordPair[] = [];
  changeRecords((all) => {
    const twins = pairRecords(all.filter(isMine), saved, (record) => mayBeListed(adapter, record));
    const kept = all.flatMap((record) => {
      const twin = twins.get(record.id);
      if (twin) {
        pairs.push({ local: record, remote: twin });
        return withServerFacts(record, twin);
      }
      if (record.isInBin && record.deletedAt === undefined) {
        binned.push(record);
        return record;
      }
      // Until the time to undo is over, only the record can bring its picture back.
      const isUndoable = record.deletedAt !== undefined && record.isKeptByServer !== true;
      if (!isUndoable && isMine(record) && isGone(record)) {
        goneIds.push(record.id);
        return [];
      }
      if (isMine(record) && record.remoteId === undefined) {
        missing.push(record);
      }
      return record;
    });
    const known = new Set(kept.map(({ remoteId }) => remoteId));
    const added = saved
      .slice(0, maxStoredFromServer)
      .filter((record) => !known.has(record.remoteId) && !isDeletedOnServer(record));
    return [...kept, ...added];
  });
  void removePictures(goneIds);
  void adapter.syncDetails?.(pairs);
  void saveMissing(adapter, missing);
  for (const { id } of binned) {
    void restoreOnServer(adapter, id);
  }
}

/** Where pictures are uploaded, none is in the server's list before its upload has begun. */
function mayBeListed({ save }: ProviderAdapter, { isTaken, uploadedAt }: GenerationRecord) {
  return save === undefined || isTaken === true || uploadedAt !== undefined;
}

function withServerFacts(record: GenerationRecord, saved: GenerationRecord): GenerationRecord {
  const { remoteId, imageUrl, imageUrls, thumbnailUrl } = saved;
  return record.deletedAt === undefined
    ? { ...record, remoteId, imageUrl, imageUrls, thumbnailUrl, isInBin: undefined }
    : { ...record, remoteId };
}

/** Saves the pictures that the server does not have yet. */
async function saveMissing(
  { save }: ProviderAdapter,
  records: readonly GenerationRecord[],
): Promise<void> {
  const uploads = records.filter(
    ({ status, isTaken, deletedAt }) =>
      status === 'completed' && !isTaken && deletedAt === undefined,
  );
  for (const record of uploads) {
    // One at a time, as each may have 20 MB.
    await save?.(record);
  }
}
