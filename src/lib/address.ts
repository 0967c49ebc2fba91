/** What the query string of the address says. */
import { useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router-dom';

const nothing = new URLSearchParams();
const never = () => () => undefined;

/** The query, and how to change it. Until the prerendered page is alive, it is that of the plain address. */
export function useQueryString(): ReturnType<typeof useSearchParams> {
  const [query, setQuery] = useSearchParams();
  const isAlive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return [isAlive ? query : nothing, setQuery];
}
