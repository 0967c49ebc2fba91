/** Whether the prerendered page has become React's. */
import { useSyncExternalStore } from 'react';

const neverChanges = () => () => undefined;

/**
 * False while the calling component is hydrated: it must then render what the prerendered page shows, whatever
 * the page already knows.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}
