/** The history: the generations that this device has and, for a logged-in user, those on the server, as one list. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

import { type ProviderId } from '#contract/images/providers';
import { ApiError } from '#lib/api';
import { endSession, getSession, useSession } from '#lib/session';

import { isDeletedOnServer } from './deletion.ts';
import { logFailure } from './log-failure.ts';
import { removePictures } from './pictures.ts';
import { type ProviderAdapter } from './provider-adapter.ts';
import {
  changeRecords,
  getRecords,
  isOwn,
  refreshRecords,
  showRecords,
  useLatestId,
  useRecords,
  type GenerationRecord,
} from './records.ts';
import { pictureTexts } from './texts.ts';

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

/** Reads the server's list into the records. After a failure, also a refused token, the records stay shown. */
async function readHistory(
  adapter: ProviderAdapter,
  telegramId: string | undefined,
  signal: AbortSignal,
): Promise<readonly GenerationRecord[]> {
  const cached = getRecords();
  try {
    const saved = await adapter.list(telegramId, signal);
    mergeRecords({ adapter, saved, telegramId, cached });
    return saved;
  } catch (error) {
    logFailure(pictureTexts.historyFailed, error);
    if (error instanceof ApiError && (error.status === 401 || error.detail === notAuthenticated)) {
      const session = getSession();
      if (session.status === 'member' && session.telegramId === telegramId) {
        endSession();
      }
      // Shown until the page is left, although the session has ended.
      showRecords(cached.map((record) => Object.assign({}, record, { owner: undefined })));
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
  const twins = new Map<string, GenerationRecord>();
  for (const record of saved) {
    twins.set(`id:${record.remoteId}`, record);
    if (record.jobKey !== undefined) {
      twins.set(`job:${record.jobKey}`, record);
    }
  }
  const findTwin = ({ remoteId, jobKey }: GenerationRecord) =>
    twins.get(`id:${remoteId}`) ?? (jobKey === undefined ? undefined : twins.get(`job:${jobKey}`));
  const mine = getRecords().filter(
    (record) =>
      record.provider === adapter.id && record.owner !== undefined && isOwn(record, telegramId),
  );
  // A record that was saved after the request is not in the answer.
  const savedBefore = new Set(cached.map(({ remoteId }) => remoteId));
  // The list may be cut off; records older than its end may still be on the server.
  const oldest = Math.min(...saved.map(({ timestamp }) => timestamp));
  const goneIds = new Set(
    mine
      .filter((record) => record.remoteId !== undefined && savedBefore.has(record.remoteId))
      .filter((record) => !findTwin(record))
      .filter(({ timestamp }) => saved.length === 0 || timestamp >= oldest)
      .map(({ id }) => id),
  );

  changeRecords((all) => {
    const kept = all
      .filter(({ id }) => !goneIds.has(id))
      .map((record) => withServerFacts(record, findTwin(record)));
    const known = new Set(kept.map(({ remoteId }) => remoteId));
    const added = saved
      .slice(0, maxStoredFromServer)
      .filter((record) => !known.has(record.remoteId) && !isDeletedOnServer(record));
    return [...kept, ...added];
  });
  void removePictures([...goneIds]);
  void adapter.syncDetails?.(
    mine.flatMap((local) => {
      const remote = findTwin(local);
      return remote ? [{ local, remote }] : [];
    }),
  );
  void saveMissing(
    adapter,
    mine.filter((record) => record.remoteId === undefined && !findTwin(record)),
  );
}

function withServerFacts(
  record: GenerationRecord,
  saved: GenerationRecord | undefined,
): GenerationRecord {
  if (!saved || record.owner !== saved.owner || record.deletedAt !== undefined) {
    return record;
  }
  const { remoteId, imageUrl, imageUrls, thumbnailUrl } = saved;
  return { ...record, remoteId, imageUrl, imageUrls, thumbnailUrl };
}

/** Saves the pictures that the server does not have yet. */
async function saveMissing(
  { save }: ProviderAdapter,
  records: readonly GenerationRecord[],
): Promise<void> {
  for (const record of records.filter(({ status }) => status === 'completed')) {
    // One at a time, as each may have 20 MB.
    await save?.(record);
  }
}
