/** Finds endpoints by what they are called, where they are, what they do and what they take. */
import { type PublicEndpoint } from '#contract/playground/public-endpoint';

/** Those that have every word somewhere; those with all of them in name or path come first. */
export function findEndpoints(
  endpoints: readonly PublicEndpoint[],
  term: string,
): readonly PublicEndpoint[] {
  const words = term.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const hasAll = (text: string) => words.every((word) => text.includes(word));
  const found = endpoints.filter((endpoint) => hasAll(everythingOf(endpoint)));
  const isNear = ({ name, path }: PublicEndpoint) => hasAll(`${name} ${path}`.toLocaleLowerCase());
  return [...found.filter(isNear), ...found.filter((endpoint) => !isNear(endpoint))];
}

function everythingOf({ name, path, description, category, method, parameters }: PublicEndpoint) {
  const inputs = parameters.map((parameter) => `${parameter.name} ${parameter.description}`);
  return [method, name, path, description, category, ...inputs].join(' ').toLocaleLowerCase();
}
