/** The query string of the address. */
import { useSearchParams } from 'react-router-dom';

import { useIsHydrated } from './hydrated.ts';

const emptyQuery = new URLSearchParams();

/** The query and the function to change it. Empty while the prerendered page is hydrated. */
export function useQueryString(): ReturnType<typeof useSearchParams> {
  const [query, setQuery] = useSearchParams();
  const isHydrated = useIsHydrated();
  const change: typeof setQuery = (next, options) =>
    setQuery(
      // The router passes the query of the last render, which may be older than the address.
      typeof next === 'function' ? () => next(new URLSearchParams(window.location.search)) : next,
      options,
    );
  return [isHydrated ? query : emptyQuery, change];
}
