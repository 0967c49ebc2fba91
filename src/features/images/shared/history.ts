/** The history: what this device has, and for members also what the server keeps, as one list. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

import { type ProviderId } from '#contract/images/providers';
import { ApiError } from '#lib/api';
import { endSession, getSession, useSession } from '#lib/session';

import { isDeletedThere } from './deletion.ts';
import { logFailure } from './log-failure.ts';
import { pictureTexts } from './picture-texts.ts';
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
} from './records-store.ts';
import { type GenerationRecord } from './records.ts';

/** Rows of the server that the device remembers, for when the server cannot be asked. */
const maxRememberedRows = 200;

/** What some backends say, with whatever status, to a token that they do not take. */
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
  /** Reads it again; resolves when that is done, well or not. */
  readonly refresh: () => Promise<void>;
};

/** The person's pictures by one provider. */
export function useHistory(adapter: ProviderAdapter): History {
  const session = useSession();
  const isMember = session.status === 'member';
  const telegramId = isMember ? session.telegramId : undefined;
  const query = useQuery({ ...historyQuery(adapter, telegramId), enabled: isMember });
  const local = useRecords(adapter.id);
  const known = new Set(getRecords().map(({ remoteId }) => remoteId));
  const onlyThere = (query.data ?? []).filter(
    (record) => !known.has(record.remoteId) && !isDeletedThere(record),
  );
  const records = [...local, ...onlyThere].toSorted((a, b) => b.timestamp - a.timestamp);

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

/** Reads a member's history again as soon as the provider has finished something on this page. */
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

/** Asks the server. A failure leaves what is known; a refused token leaves it on the page, too. */
async function readHistory(
  adapter: ProviderAdapter,
  telegramId: string | undefined,
  signal: AbortSignal,
): Promise<readonly GenerationRecord[]> {
  const cached = getRecords();
  try {
    const saved = await adapter.list(telegramId, signal);
    takeOver({ adapter, saved, telegramId, cached });
    return saved;
  } catch (error) {
    logFailure(pictureTexts.historyFailed, error);
    if (error instanceof ApiError && (error.status === 401 || error.detail === notAuthenticated)) {
      const session = getSession();
      if (session.status === 'member' && session.telegramId === telegramId) {
        endSession();
      }
      // Of a session that has just ended the list stays to be seen, until the page is left.
      showRecords(cached.map((record) => Object.assign({}, record, { owner: undefined })));
    }
    throw error;
  }
}

type Reading = {
  readonly adapter: ProviderAdapter;
  readonly telegramId: string | undefined;
  /** What was known here when the server was asked. */
  readonly cached: readonly GenerationRecord[];
  readonly saved: readonly GenerationRecord[];
};

/** Brings what this device knows up to date with what the server has. */
function takeOver({ adapter, saved, telegramId, cached }: Reading): void {
  const twin = new Map<string, GenerationRecord>();
  for (const record of saved) {
    twin.set(`id:${record.remoteId}`, record);
    if (record.jobKey !== undefined) {
      twin.set(`job:${record.jobKey}`, record);
    }
  }
  const findTwin = ({ remoteId, jobKey }: GenerationRecord) =>
    twin.get(`id:${remoteId}`) ?? (jobKey === undefined ? undefined : twin.get(`job:${jobKey}`));
  const mine = getRecords().filter(
    (record) =>
      record.provider === adapter.id && record.owner !== undefined && isOwn(record, telegramId),
  );
  // What has been saved since the server was asked is not in its answer.
  const savedBefore = new Set(cached.map(({ remoteId }) => remoteId));
  // The list may end somewhere; what is older than its end may still be there.
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
    const news = saved
      .slice(0, maxRememberedRows)
      .filter((record) => !known.has(record.remoteId) && !isDeletedThere(record));
    return [...kept, ...news];
  });
  void removePictures([...goneIds]);
  void adapter.tellServer?.(
    mine.flatMap((here) => {
      const there = findTwin(here);
      return there ? [{ here, there }] : [];
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

/** Saves what an earlier try has not, one after the other. */
async function saveMissing(
  { save }: ProviderAdapter,
  records: readonly GenerationRecord[],
): Promise<void> {
  for (const record of records.filter(({ status }) => status === 'completed')) {
    // One at a time: nobody waits for it, and each may have 20 MB.
    await save?.(record);
  }
}
