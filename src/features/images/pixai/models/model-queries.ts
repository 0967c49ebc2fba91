/** Pages of models: a sorted list, or what a search finds. */
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';

import {
  type ModelCard,
  type ModelsPage,
  queryModels,
  readModelsPage,
  searchModels,
} from '#contract/endpoints/models';
import { modelDocuments } from '#contract/images/model-documents';
import { sortOrders, type SortOrder } from '#contract/images/sort-orders';
import { call } from '#lib/api';

import { logFailure } from '../../shared/log-failure.ts';
import { modelTexts as texts } from './texts.ts';

const pageSize = 36;
/** Coming back from the generator finds the list as it was left. */
const keptMs = 30 * 60_000;

type Wish = Parameters<typeof call<typeof queryModels>>[1];

async function readPage(wish: Wish, signal: AbortSignal): Promise<ModelsPage> {
  const isSearch = wish.operation === 'searchGenerationModels';
  try {
    const answer = await call(isSearch ? searchModels : queryModels, wish, signal);
    if (answer.errors && answer.errors.length > 0) {
      throw new Error(answer.errors[0]?.message ?? 'GraphQL Error');
    }
    return readModelsPage(answer);
  } catch (error) {
    logFailure(isSearch ? texts.searchFailed : texts.noneLoaded, error);
    throw error;
  }
}

const paging = {
  initialPageParam: undefined as string | undefined,
  // Without a cursor, or with the same one again, pages would go round for ever.
  getNextPageParam: (
    { hasNextPage, endCursor }: ModelsPage,
    _pages: readonly ModelsPage[],
    after: string | undefined,
  ) => (hasNextPage && endCursor !== after ? endCursor : undefined),
  staleTime: keptMs,
  gcTime: keptMs,
  retry: 1,
} as const;

export const modelQueries = {
  /** The key that all sorted lists have in common. */
  lists: ['models', 'list'],

  list: (sort: SortOrder) =>
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

/** All models of the pages; one that two pages have is there once. */
export function toModels(data: InfiniteData<ModelsPage> | undefined): readonly ModelCard[] {
  const byId = new Map<string, ModelCard>();
  for (const model of (data?.pages ?? []).flatMap(({ models }) => models)) {
    if (!byId.has(model.id)) {
      byId.set(model.id, model);
    }
  }
  return [...byId.values()];
}

/** What a search finds where there is no server to ask: by name or ID, whatever the case. */
export function filterModels(models: readonly ModelCard[], query: string): readonly ModelCard[] {
  const wanted = query.toLowerCase();
  return models.filter(({ name, modelId }) =>
    [name, modelId].some((text) => text.toLowerCase().includes(wanted)),
  );
}
