/** The request of an endpoint: its path and URL, the mistakes in its values, links that carry them, and its status. */
import { useSyncExternalStore } from 'react';

import { publicEndpoints } from '#contract/playground/endpoints';
import {
  findMistake,
  type PublicEndpoint,
  requestPath,
  type Values,
} from '#contract/playground/public-endpoint';
import { publicApiUrl } from '#lib/api';
import { paths } from '#lib/paths';

import { texts } from './texts.ts';

/** The endpoints of the list; the others only fill the selects of these. */
export const listedEndpoints: readonly PublicEndpoint[] = publicEndpoints.filter(
  ({ isSupporting }) => isSupporting !== true,
);

/** The values of an untouched form. */
export function getDefaults({ parameters }: PublicEndpoint): Values {
  return Object.fromEntries(parameters.map(({ name, defaultValue = '' }) => [name, defaultValue]));
}

/** The path and query of the request, with trimmed values. */
export function toPath(endpoint: PublicEndpoint, values: Values): string {
  const trimmed = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value?.trim()]),
  );
  return requestPath(endpoint, trimmed);
}

/** The full URL of a request; `origin` is that of the page. */
export function toUrl(path: string, origin: string): string {
  return /^https?:/.test(publicApiUrl) ? publicApiUrl + path : origin + publicApiUrl + path;
}

/** The same request, answered as a file: for containers that download only from a URL. */
export function toDownloadUrl(path: string, origin: string): string {
  const url = new URL(toUrl(path, origin));
  url.searchParams.set('download', '1');
  return url.href;
}

const neverChanges = () => () => undefined;

/** The origin of the page; empty while the page is prerendered. */
export function useOrigin(): string {
  return useSyncExternalStore(
    neverChanges,
    () => window.location.origin,
    () => '',
  );
}

/** Parameter → what is wrong with its value. */
export function findMistakes(
  { parameters }: PublicEndpoint,
  values: Values,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    parameters.flatMap((parameter) => {
      const mistake = findMistake(parameter, values[parameter.name]);
      return mistake === undefined ? [] : [[parameter.name, mistake]];
    }),
  );
}

export function statusText(status: number): string {
  return status < 400 ? texts.success(status) : texts.failure(status);
}

const prefix = 'p.';

/** A link that opens the endpoint with these values in its form, and does not run it. */
export function toLink(endpoint: PublicEndpoint, values: Values): string {
  const query = new URLSearchParams({ endpoint: endpoint.id });
  for (const { name } of endpoint.parameters) {
    const value = values[name];
    if (value !== undefined && value !== '') {
      query.set(prefix + name, value);
    }
  }
  return `${paths.api}?${query.toString()}`;
}

/** The values in the query of a link; undefined when it has none. */
export function readLink(endpoint: PublicEndpoint, query: URLSearchParams): Values | undefined {
  const values = endpoint.parameters.flatMap(({ name, maxLength }) => {
    const value = query.get(prefix + name);
    return value === null ? [] : [[name, value.slice(0, maxLength)]];
  });
  return values.length === 0
    ? undefined
    : Object.fromEntries([...endpoint.parameters.map(({ name }) => [name, '']), ...values]);
}

/** Whether a name in the query stands for a value of a link. */
export const isLinkValue = (name: string) => name.startsWith(prefix);
