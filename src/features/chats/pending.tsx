/** Stands in for content that is being read or could not be read, and says what is old. */
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode } from 'react';

import { errorText } from '#lib/api';
import { sayWhenSeen, useSeenAt } from '#lib/offline';
import { Button } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { Notice } from '#ui/notice';
import { Skeleton } from '#ui/skeleton';

import { partKey, valuesKey } from './queries.ts';
import { chatTexts } from './texts.ts';
import { useWaitingCount } from './waiting.ts';

type PendingProps = {
  readonly query: {
    readonly error: Error | null;
    readonly isFetching: boolean;
    readonly refetch: () => Promise<unknown>;
  };
  readonly shape?: 'rows' | 'sections';
  /** How many rows or sections. */
  readonly count?: number;
  /** Instead of a skeleton of a common shape. */
  readonly skeleton?: ReactNode;
  readonly loading: string;
  readonly failed: string;
};

export function Pending({ query, shape = 'rows', count, skeleton, loading, failed }: PendingProps) {
  const { error, isFetching, refetch } = query;
  return error && !isFetching ? (
    <EmptyState
      mood="surprised"
      title={failed}
      action={
        <Button kind="primary" onClick={() => void refetch()}>
          {chatTexts.retry}
        </Button>
      }
    >
      {errorText(error, '')}
    </EmptyState>
  ) : skeleton !== undefined ? (
    <>
      <output className="visually-hidden">{loading}</output>
      {skeleton}
    </>
  ) : (
    <Skeleton shape={shape} label={loading} {...(count !== undefined && { count })} />
  );
}

type SeenAtProps = {
  /** The key of what the device stores. */
  readonly id: string;
  readonly refetch: () => unknown;
};

/** Says from when the data is while the device shows what it has stored. */
export function SeenAt({ id, refetch }: SeenAtProps) {
  const at = useSeenAt(id, refetch);
  return at === undefined ? null : <Notice tone="info">{sayWhenSeen(at)}</Notice>;
}

/** What waits for the network, and from when the values are while there is none. */
export function WithoutNetwork({ chatId }: { readonly chatId: string }) {
  const client = useQueryClient();
  const waiting = useWaitingCount(chatId);
  return (
    <>
      {waiting > 0 && <Notice tone="info">{chatTexts.waiting.count(waiting)}</Notice>}
      <SeenAt
        id={valuesKey(chatId)}
        refetch={() => client.invalidateQueries({ queryKey: partKey('values', chatId) })}
      />
    </>
  );
}
