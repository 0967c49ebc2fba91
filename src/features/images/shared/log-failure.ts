/** Failures that the specification has logged only: the page copes with them, and the person is told nothing more. */
import { ApiError } from '#lib/api';

/** What the page itself has given up is no failure. */
export function logFailure(what: string, error: unknown): void {
  if (error instanceof ApiError && error.code === 'aborted') {
    return;
  }
  // For whoever looks for a cause; as nothing is wrong with the page, it is no warning.
  // oxlint-disable-next-line no-console
  console.info(what, error instanceof Error ? error.message : String(error));
}
