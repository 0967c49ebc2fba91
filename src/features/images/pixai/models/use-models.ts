/** The models to show, by a search and a sort order. */
import {
  useQueryClient,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  type InfiniteData,
  infiniteQueryOptions,
} from '@tanstack/react-query';
import { useState } from 'react';
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
import { resolveLink } from '#lib/fetch-file';
import { readOrLastSeen, useSeenAt } from '#lib/offline';
import { paths, prefix } from '#lib/paths';
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

/** Search and order are in the address, except in a dialog, which has no address. */
export function useModelsPlace({ isDialog }: { readonly isDialog: boolean }): ModelsPlace {
  const [inAddress, setInAddress] = useQueryString();
  const [inMemory, setInMemory] = useState(() => new URLSearchParams());
  const place = isDialog ? inMemory : inAddress;
  const queryClient = useQueryClient();
  const order = v.safeParse(sortOrder, place.get('sort'));

  function change(values: Readonly<Record<string, string>>): void {
    const merge = (present: URLSearchParams) => {
      const next = Object.entries({ ...Object.fromEntries(present), ...values });
      return new URLSearchParams(next.filter(([, value]) => value !== ''));
    };
    if (isDialog) {
      setInMemory(merge);
    } else {
      setInAddress(merge, { replace: true });
    }
  }

  const query = (place.get('q') ?? '').trim();
  const [typed, type] = useSearchTerm(query, (q) => change({ q }));
  const isSearch = typed.trim() !== '' && query !== '';
  return {
    sort: order.success ? order.output : isSearch ? undefined : defaultSortOrder,
    sortBy: (value) => {
      // In a search, no order in the place means the best match.
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

/** The first model of the catalogue that is no LoRA; the catalogue is only read while it is needed. */
export function useFirstModel(isNeeded: () => boolean) {
  const list = useInfiniteQuery({ ...modelQueries.list(), enabled: isNeeded });
  return {
    first: toModels(list.data).find(({ isLora }) => !isLora),
    status: getStatus(list, list.data?.pages.length ?? 0),
    retry: () => void list.refetch(),
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
  /** From when the sorted list is that the device has stored, if this is shown; epoch milliseconds. */
  readonly seenAt: number | undefined;
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
  const seenAt = useListSeenAt(sort, list.refetch);

  const loaded = toModels(active.data);
  const found = isFallback ? filterModels(loaded, query) : loaded;
  const canLoad =
    !isFallback && active.hasNextPage && !active.isFetching && !active.isFetchNextPageError;
  return {
    models: isSearch ? sortModels(found, sort) : found,
    status: getStatus(active, loaded.length),
    error: active.error,
    isFallback,
    seenAt,
    isComplete: !active.hasNextPage && !active.isError,
    loadMore: canLoad ? () => void active.fetchNextPage() : undefined,
    retry: () => void (loaded.length === 0 ? active.refetch() : active.fetchNextPage()),
    searchAgain: () => void search.refetch(),
  };
}

/** From when the list is that is sorted so, if the device has shown what it had stored. */
function useListSeenAt(sort: SortOrder = defaultSortOrder, refetch: () => unknown) {
  return useSeenAt(catalogueKey(sort), refetch);
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

async function readPage(request: ModelsRequest, signal?: AbortSignal): Promise<ModelsPage> {
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

async function readListPage(
  sort: SortOrder,
  after: string | undefined,
  signal?: AbortSignal,
): Promise<ModelsPage> {
  const order = sortOrders.find(({ value }) => value === sort) ?? sortOrders[0];
  const { feed, orderBy } = order;
  const variables = { first: pageSize, after, feed, orderBy };
  return readPage(
    { operation: 'listGenerationModels', query: modelDocuments.list, variables },
    signal,
  );
}

/** Covers of the first page that are certainly on the screen. */
const firstRow = 4;

/**
 * The first page that the address names, and its first covers: requested as soon as this file is there, while
 * the page is still being hydrated.
 */
let early = typeof window === 'undefined' ? undefined : requestEarly(window.location);

function requestEarly({ pathname, search }: Location) {
  const query = new URLSearchParams(search);
  if (pathname !== prefix + paths.models || query.get('view') !== 'models' || query.has('q')) {
    return undefined;
  }
  const order = v.safeParse(sortOrder, query.get('sort'));
  const sort = order.success ? order.output : defaultSortOrder;
  const page = readListPage(sort, undefined);
  void loadCovers(page);
  return { sort, page };
}

async function loadCovers(page: Promise<ModelsPage>): Promise<void> {
  // The query that takes the page reports a failure.
  const { models } = await page.catch(() => ({ models: [] }));
  for (const { thumbnail } of models.slice(0, firstRow)) {
    if (thumbnail !== undefined) {
      Object.assign(new Image(), { fetchPriority: 'high', src: resolveLink(thumbnail) });
    }
  }
}

/** The first page of a list: the one that was requested early, if it is the first to be shown. */
async function readFirstPage(sort: SortOrder, signal: AbortSignal): Promise<ModelsPage> {
  const known = early?.sort === sort ? early.page : undefined;
  try {
    return await (known ?? readListPage(sort, undefined, signal));
  } finally {
    // Only now: where React mounts a part twice, the second query uses the same page.
    early = undefined;
  }
}

/** The key of what the device stores of the catalogue. */
const catalogueKey = (sort: SortOrder) => `models ${sort}`;

/** As `readModelsPage` has made it; of an earlier version, it has what cards need. */
const storedPage = v.custom<ModelsPage>((page) =>
  v.is(v.object({ models: v.array(v.object({ id: v.string() })), hasNextPage: v.boolean() }), page),
);

const modelQueries = {
  /** The common key of all sorted lists. */
  lists: ['models', 'list'],

  list: (sort: SortOrder = defaultSortOrder) =>
    infiniteQueryOptions({
      ...paging,
      queryKey: ['models', 'list', sort],
      queryFn: ({ pageParam, signal }) =>
        pageParam === undefined
          ? readOrLastSeen({ key: catalogueKey(sort), schema: storedPage }, () =>
              readFirstPage(sort, signal),
            )
          : readListPage(sort, pageParam, signal),
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
