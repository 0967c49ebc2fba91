/** The models to show: the sorted list, what a search finds, or what can be found without the server. */
import { useInfiniteQuery } from '@tanstack/react-query';

import { type ModelCard } from '#contract/endpoints/models';
import { type SortOrder } from '#contract/images/sort-orders';

import { filterModels, modelQueries, toModels } from './model-queries.ts';

type FoundModels = {
  readonly models: readonly ModelCard[];
  /** `more`: the next page is on its way. `failed`: the first or the next page did not come. */
  readonly status: 'loading' | 'ready' | 'more' | 'failed';
  /** The server could not search; these are matches among what is loaded. */
  readonly isFallback: boolean;
  /** There is nothing more to load. */
  readonly isComplete: boolean;
  /** Absent while nothing can or need be loaded. */
  readonly loadMore: (() => void) | undefined;
  /** Asks again for what did not come. */
  readonly retry: () => void;
  readonly searchAgain: () => void;
};

export function useModels(sort: SortOrder, query: string): FoundModels {
  const list = useInfiniteQuery(modelQueries.list(sort));
  const search = useInfiniteQuery(modelQueries.search(query));
  const isSearch = query !== '';
  const isFallback = isSearch && search.isError && search.data === undefined;
  const active = isSearch && !isFallback ? search : list;

  const loaded = toModels(active.data);
  const models = isFallback ? filterModels(loaded, query) : loaded;
  const canLoad =
    !isFallback && active.hasNextPage && !active.isFetching && !active.isFetchNextPageError;
  return {
    models,
    status: getStatus(active, loaded.length),
    isFallback,
    isComplete: !active.hasNextPage && !active.isError,
    loadMore: canLoad ? () => void active.fetchNextPage() : undefined,
    retry: () => void (loaded.length === 0 ? active.refetch() : active.fetchNextPage()),
    searchAgain: () => void search.refetch(),
  };
}

function getStatus(
  query: {
    readonly isPending: boolean;
    readonly isFetching: boolean;
    readonly isError: boolean;
    readonly isFetchingNextPage: boolean;
  },
  count: number,
): FoundModels['status'] {
  if (query.isPending || (query.isFetching && count === 0)) {
    return 'loading';
  }
  if (query.isFetchingNextPage) {
    return 'more';
  }
  return query.isError ? 'failed' : 'ready';
}
