/**
 * How long Telegram is left alone with deletions: as long as it says, or longer from time to time
 * while it does not answer. When two chats have to wait at the same time, all of them do.
 */
const firstMs = 1000;
const longestMs = 60_000;

export type DeletionPauses = {
  /** Epoch milliseconds until which nothing is sent for the chat; the past when it need not wait. */
  readonly until: (chatId: number) => number;
  /** A call failed; answers until when to wait. */
  readonly failed: (chatId: number, retryAfterS: number | undefined) => number;
  /** Telegram has answered. */
  readonly worked: (chatId: number) => void;
};

export function createDeletionPauses(clock: () => number): DeletionPauses {
  const chats = new Map<number, { readonly until: number; readonly failures: number }>();
  let allUntil = 0;

  return {
    until: (chatId) => Math.max(allUntil, chats.get(chatId)?.until ?? 0),

    failed(chatId, retryAfterS) {
      const now = clock();
      const failures = (chats.get(chatId)?.failures ?? 0) + 1;
      const waitMs =
        retryAfterS === undefined
          ? Math.min(firstMs * 2 ** (failures - 1), longestMs)
          : Math.max(retryAfterS * 1000, firstMs);
      const until = now + waitMs;
      const isAnotherWaiting = [...chats].some(
        ([otherId, other]) => otherId !== chatId && other.until > now,
      );
      chats.set(chatId, { until, failures });
      if (isAnotherWaiting) {
        allUntil = Math.max(allUntil, until);
      }
      return Math.max(allUntil, until);
    },

    worked(chatId) {
      if (chats.size > 0) {
        chats.delete(chatId);
      }
    },
  };
}
