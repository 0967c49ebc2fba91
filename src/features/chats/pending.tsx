/** Stands in for content that is being read or could not be read. */
import { type ReactNode } from 'react';

import { errorText } from '#lib/api';
import { Button } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { Skeleton } from '#ui/skeleton';

import { chatTexts } from './texts.ts';

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
