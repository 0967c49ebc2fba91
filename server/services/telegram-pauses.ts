/** How long nothing is sent to Telegram about a chat, or about any. */

/** Pauses after calls without an answer; each is twice as long as the one before. */
const firstPauseMs = 1000;
const maxPauseMs = 60_000;

export type Pauses = ReturnType<typeof createPauses>;

/**
 * As long as Telegram says, or longer each time while it does not answer. When two chats have to wait at the
 * same time, all of them do.
 */
export function createPauses(clock: () => number) {
  const chats = new Map<number, { readonly until: number; readonly failures: number }>();
  let allUntil = 0;

  return {
    /** The time of `clock` until which nothing is sent for the chat; the past when it need not wait. */
    getEnd: (chatId: number): number => Math.max(allUntil, chats.get(chatId)?.until ?? 0),

    /** To be called when a call has failed. Returns the end of the pause. */
    start(chatId: number, retryAfterS: number | undefined): number {
      const now = clock();
      const failures = (chats.get(chatId)?.failures ?? 0) + 1;
      const waitMs =
        retryAfterS === undefined
          ? Math.min(firstPauseMs * 2 ** (failures - 1), maxPauseMs)
          : Math.max(retryAfterS * 1000, firstPauseMs);
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

    /** To be called when Telegram has answered. */
    reset: (chatId: number) => chats.delete(chatId),
  };
}
