/** What is sent for an endpoint and what is in its form, and links that bring both to somebody else. */
import { publicEndpoints } from '#contract/playground/endpoints';
import {
  mistakeIn,
  type PublicEndpoint,
  requestPath,
  type Values,
} from '#contract/playground/public-endpoint';
import { publicApiUrl } from '#lib/api';
import { paths } from '#lib/paths';

/** What the list offers; the others only fill the selects of these. */
export const offered: readonly PublicEndpoint[] = publicEndpoints.filter(
  ({ isSupporting }) => isSupporting !== true,
);

/** What a form begins with. */
export function defaultsOf({ parameters }: PublicEndpoint): Values {
  return Object.fromEntries(parameters.map(({ name, defaultValue = '' }) => [name, defaultValue]));
}

/** What is sent: spaces around a value mean nothing. */
export function sentPath(endpoint: PublicEndpoint, values: Values): string {
  const trimmed = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value?.trim()]),
  );
  return requestPath(endpoint, trimmed);
}

/** The full address of a call; `origin` is that of the page. */
export function requestUrl(path: string, origin: string): string {
  return /^https?:/.test(publicApiUrl) ? publicApiUrl + path : origin + publicApiUrl + path;
}

/** The same call, answered as a file to save: for containers that save by address only. */
export function downloadUrl(path: string, origin: string): string {
  const url = new URL(requestUrl(path, origin));
  url.searchParams.set('download', '1');
  return url.href;
}

/** Parameter → what is wrong with it. */
export function mistakesIn(
  { parameters }: PublicEndpoint,
  values: Values,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    parameters.flatMap((parameter) => {
      const mistake = mistakeIn(parameter, values[parameter.name]);
      return mistake === undefined ? [] : [[parameter.name, mistake]];
    }),
  );
}

const prefix = 'p.';

/** Opens the endpoint with these values in its form; nothing is run by it. */
export function linkTo(endpoint: PublicEndpoint, values: Values): string {
  const query = new URLSearchParams({ endpoint: endpoint.id });
  for (const { name } of endpoint.parameters) {
    const value = values[name];
    if (value !== undefined && value !== '') {
      query.set(prefix + name, value);
    }
  }
  return `${paths.api}?${query.toString()}`;
}

/** The values that a link brings; undefined when it brings none. */
export function valuesIn(endpoint: PublicEndpoint, query: URLSearchParams): Values | undefined {
  const brought = endpoint.parameters.flatMap(({ name, maxLength }) => {
    const value = query.get(prefix + name);
    return value === null ? [] : [[name, value.slice(0, maxLength)]];
  });
  return brought.length === 0
    ? undefined
    : Object.fromEntries([...endpoint.parameters.map(({ name }) => [name, '']), ...brought]);
}

/** Whether a part of the query is a value that a link brings. */
export const isBrought = (name: string) => name.startsWith(prefix);
