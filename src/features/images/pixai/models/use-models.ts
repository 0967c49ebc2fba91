/** The models to show, by the search and the sort order that the address names. */
import {
  useQueryClient,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  type InfiniteData,
  infiniteQueryOptions,
} from '@tanstack/react-query';
import * as v from 'valibot';

import {
  type ModelCard,
  type ModelsPage,
  queryModels,
  readModelsPage,
  searchModels,
} from '#contract/endpoints/models';
import { modelDocuments } from '#contract/images/model-documents';
import { defaultSortOrder, sortOrders, type SortOrder } from '#contract/images/sort-orders';
import { useQueryString } from '#lib/address';
import { ApiError, call } from '#lib/api';
import { useSearchTerm } from '#lib/search-term';

import { logFailure } from '../../shared/log-failure.ts';
import { modelTexts as texts } from './texts.ts';

const sortOrder = v.picklist(sortOrders.map(({ value }) => value));

type ModelsPlace = {
  /** The chosen order; undefined for the best match first, which only searches have. */
  readonly sort: SortOrder | undefined;
  readonly sortBy: (order: string) => void;
  /** The search that is shown, trimmed. */
  readonly query: string;
  /** The text in the field. */
  readonly typed: string;
  readonly type: (text: string) => void;
};

export function useModelsPlace(): ModelsPlace {
  const [address, setAddress] = useQueryString();
  const queryClient = useQueryClient();
  const order = v.safeParse(sortOrder, address.get('sort'));

  function change(values: Readonly<Record<string, string>>): void {
    setAddress(
      (present) => {
        const next = Object.entries({ ...Object.fromEntries(present), ...values });
        return new URLSearchParams(next.filter(([, value]) => value !== ''));
      },
      { replace: true },
    );
  }

  const query = (address.get('q') ?? '').trim();
  const [typed, type] = useSearchTerm(query, (q) => change({ q }));
  const isSearch = typed.trim() !== '' && query !== '';
  return {
    sort: order.success ? order.output : isSearch ? undefined : defaultSortOrder,
    sortBy: (value) => {
      // In a search, no order in the address means the best match.
      change({ sort: value === defaultSortOrder && !isSearch ? '' : value });
      // The chosen list is loaded again, also when it was loaded before.
      queryClient.removeQueries({ queryKey: modelQueries.lists, type: 'inactive' });
    },
    // An emptied field ends the search at once; a typed search waits for a pause.
    query: isSearch ? query : '',
    typed,
    type,
  };
}

type FoundModels = {
  readonly models: readonly ModelCard[];
  /** `more`: the next page is loading. `failed`: the first or the next page could not be loaded. */
  readonly status: 'loading' | 'ready' | 'more' | 'failed';
  /** Why the page could not be loaded. */
  readonly error: Error | null;
  /** The server could not search; these are matches among the loaded models. */
  readonly isFallback: boolean;
  readonly isComplete: boolean;
  /** Undefined while there is nothing to load. */
  readonly loadMore: (() => void) | undefined;
  /** Loads the page that failed. */
  readonly retry: () => void;
  readonly searchAgain: () => void;
};

export function useModels({ sort, query }: Pick<ModelsPlace, 'sort' | 'query'>): FoundModels {
  const list = useInfiniteQuery(modelQueries.list(sort));
  const search = useInfiniteQuery(modelQueries.search(query));
  const isSearch = query !== '';
  const isFallback = isSearch && search.isError && search.data === undefined;
  const active = isSearch && !isFallback ? search : list;

  const loaded = toModels(active.data);
  const found = isFallback ? filterModels(loaded, query) : loaded;
  const canLoad =
    !isFallback && active.hasNextPage && !active.isFetching && !active.isFetchNextPageError;
  return {
    models: isSearch ? sortModels(found, sort) : found,
    status: getStatus(active, loaded.length),
    error: active.error,
    isFallback,
    isComplete: !active.hasNextPage && !active.isError,
    loadMore: canLoad ? () => void active.fetchNextPage() : undefined,
    retry: () => void (loaded.length === 0 ? active.refetch() : active.fetchNextPage()),
    searchAgain: () => void search.refetch(),
  };
}

function getStatus(
  query: Pick<
    UseInfiniteQueryResult,
    'isPending' | 'isFetching' | 'isError' | 'isFetchingNextPage'
  >,
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

const pageSize = 36;
/** A list stays as it was while the user visits the generator. */
const freshMs = 30 * 60_000;

type ModelsRequest = Parameters<typeof call<typeof queryModels>>[1];

async function readPage(request: ModelsRequest, signal: AbortSignal): Promise<ModelsPage> {
  const isSearch = request.operation === 'searchGenerationModels';
  try {
    const page = await call(isSearch ? searchModels : queryModels, request, signal);
    if (page.errors && page.errors.length > 0) {
      throw new Error(page.errors[0]?.message ?? 'GraphQL Error');
    }
    if (!page.data?.generationModels) {
      throw new Error('The answer has no list of models');
    }
    return readModelsPage(page);
  } catch (error) {
    logFailure(isSearch ? texts.searchFailed : texts.noneLoaded, error);
    throw error;
  }
}

const paging = {
  initialPageParam: undefined as string | undefined,
  // A missing or repeated cursor would load the same page for ever.
  getNextPageParam: (
    { hasNextPage, endCursor }: ModelsPage,
    _pages: readonly ModelsPage[],
    after: string | undefined,
  ) => (hasNextPage && endCursor !== after ? endCursor : undefined),
  staleTime: freshMs,
  gcTime: freshMs,
  // A refusal is not answered by the same question.
  retry: (failures: number, error: Error) =>
    failures < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
} as const;

const modelQueries = {
  /** The common key of all sorted lists. */
  lists: ['models', 'list'],

  list: (sort: SortOrder = defaultSortOrder) =>
    infiniteQueryOptions({
      ...paging,
      queryKey: ['models', 'list', sort],
      queryFn: ({ pageParam, signal }) => {
        const order = sortOrders.find(({ value }) => value === sort) ?? sortOrders[0];
        return readPage(
          {
            operation: 'listGenerationModels',
            query: modelDocuments.list,
            variables: {
              first: pageSize,
              after: pageParam,
              feed: order.feed,
              orderBy: order.orderBy,
            },
          },
          signal,
        );
      },
    }),

  search: (keyword: string) =>
    infiniteQueryOptions({
      ...paging,
      queryKey: ['models', 'search', keyword],
      enabled: keyword !== '',
      queryFn: ({ pageParam, signal }) =>
        readPage(
          {
            operation: 'searchGenerationModels',
            query: modelDocuments.search,
            variables: { first: pageSize, after: pageParam, keyword, feed: 'search' },
          },
          signal,
        ),
    }),
};

/** All models of the pages, without duplicates. */
function toModels(data: InfiniteData<ModelsPage> | undefined): readonly ModelCard[] {
  const all = (data?.pages ?? []).flatMap(({ models }) => models);
  return [...new Map(all.map((model) => [model.id, model])).values()];
}

/** A search by name or ID among models that are loaded. */
function filterModels(models: readonly ModelCard[], query: string): readonly ModelCard[] {
  const wanted = query.toLowerCase();
  return models.filter(({ name, modelId }) =>
    [name, modelId].some((text) => text.toLowerCase().includes(wanted)),
  );
}

/** Sorts the results of a search, which servers order by the best match. */
function sortModels(
  models: readonly ModelCard[],
  sort: SortOrder | undefined,
): readonly ModelCard[] {
  if (sort === undefined) {
    return models;
  }
  const figures = {
    trending: ({ likedCount }) => likedCount,
    newest: ({ createdAt }) => createdAt,
    'most-liked': ({ likedCount }) => likedCount,
    'most-used': ({ refCount }) => refCount,
  } as const satisfies Record<SortOrder, (model: ModelCard) => number>;
  const figure = figures[sort];
  return models.toSorted((a, b) => figure(b) - figure(a));
}
