/** What a select offers: its own list, or one that another call of the public API answers. */
import { useQuery } from '@tanstack/react-query';
import * as v from 'valibot';

import { endpoint as wire, noInput } from '#contract/endpoints/endpoint';
import { publicEndpoints } from '#contract/playground/endpoints';
import {
  type Parameter,
  type PublicEndpoint,
  requestPath,
  type Values,
} from '#contract/playground/public-endpoint';
import { call } from '#lib/api';

const freshForMs = 5 * 60_000;

export type Options = {
  readonly options: readonly string[];
  readonly isLoading: boolean;
  /** What could not be fetched. */
  readonly failed: 'categories' | 'characters' | undefined;
  readonly retry: () => void;
};

type Source = NonNullable<Parameter['optionsFrom']>;

export function useOptions({ options = [], optionsFrom }: Parameter, values: Values): Options {
  const source = publicEndpoints.find(({ id }) => id === optionsFrom?.endpointId);
  const given = source && optionsFrom ? neededBy(source, optionsFrom, values) : undefined;
  const query = useQuery({
    queryKey: ['playground', source?.id, given],
    enabled: given !== undefined,
    staleTime: freshForMs,
    // It is said at once; there is a button for another try.
    retry: false,
    queryFn: ({ signal }) =>
      source && optionsFrom
        ? readList(source, { field: optionsFrom.field, values: given ?? {}, signal })
        : [],
  });

  return {
    options: query.data ?? options,
    isLoading: query.isFetching,
    failed: query.isError && !query.isFetching ? optionsFrom?.field : undefined,
    retry: () => void query.refetch(),
  };
}

/** The values that the list's own call takes; undefined while one of them is missing. */
function neededBy(
  { parameters }: PublicEndpoint,
  { needs }: Source,
  values: Values,
): Values | undefined {
  if (needs === undefined) {
    // Whatever is chosen in the form, that call is always the same.
    return Object.fromEntries(
      parameters.map(({ name, defaultValue = '' }) => [name, defaultValue]),
    );
  }
  const value = values[needs];
  return value === undefined || value === '' ? undefined : { [needs]: value };
}

type Wanted = {
  readonly field: Source['field'];
  readonly values: Values;
  readonly signal: AbortSignal;
};

async function readList(source: PublicEndpoint, { field, values, signal }: Wanted) {
  const list = wire({
    base: 'public',
    method: source.method,
    path: `/${requestPath(source, values).slice(1)}`,
    input: noInput,
    output: v.object({ [field]: v.array(v.string()) }),
  });
  const answer = await call(list, {}, signal);
  return answer[field] ?? [];
}
