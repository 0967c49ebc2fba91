/** When two users write the same setting or value at once, the server's answer counts. */
import { type WriteQueue } from '#lib/write-queue';

/**
 * Calls back when this page's writes of the keys have ended, if there are any: after them the server knows which of
 * both users was the last.
 */
export function readAgainWhenWritten<Value>(
  { getPending, subscribe }: Pick<WriteQueue<Value>, 'getPending' | 'subscribe'>,
  keys: readonly string[],
  readAgain: () => void,
): void {
  const contested = keys.filter((key) => getPending(key) !== undefined);
  if (contested.length > 0) {
    const stop = subscribe(() => {
      if (contested.every((key) => getPending(key) === undefined)) {
        stop();
        readAgain();
      }
    });
  }
}
