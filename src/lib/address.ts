/** The query string of the address. */
import { useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router-dom';

const emptyQuery = new URLSearchParams();
const neverChanges = () => () => undefined;

/** The query and the function to change it. Empty while the prerendered page is hydrated. */
export function useQueryString(): ReturnType<typeof useSearchParams> {
  const [query, setQuery] = useSearchParams();
  const isHydrated = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  return [isHydrated ? query : emptyQuery, setQuery];
}
