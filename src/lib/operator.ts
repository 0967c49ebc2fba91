/** Whether the page may name environment variables: they are of use to the operator alone. */
import { useSyncExternalStore } from 'react';

const neverChanges = () => () => undefined;

function isLoopback(): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(window.location.hostname);
}

/** True where the page is opened on the machine that serves it. False while it is prerendered or hydrated. */
export function useIsOperator(): boolean {
  return useSyncExternalStore(neverChanges, isLoopback, () => false);
}
