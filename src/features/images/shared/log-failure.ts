/** Logs failures that the page recovers from and the user is not told of. */
import { ApiError } from '#lib/api';

/** Requests that the page itself has aborted are not logged. */
export function logFailure(what: string, error: unknown): void {
  if (error instanceof ApiError && error.code === 'aborted') {
    return;
  }
  // Information, not a warning: the page works.
  // oxlint-disable-next-line no-console
  console.info(what, error instanceof Error ? error.message : String(error));
}
