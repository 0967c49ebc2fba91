/** How long nothing is sent to Telegram about a chat, or about any. */
import { type ChatEvents } from '#services/chats';

/** Pauses after calls without an answer; each is twice as long as the one before. */
const firstPauseMs = 1000;
const maxPauseMs = 60_000;

export type Pauses = ReturnType<typeof createPauses>;

/** Telegram counts the calls of all processes of a bot together. */
export type SharedPauses = {
  /** Telegram wants no calls about a chat for so long. */
  readonly tell: (chatId: number, waitMs: number) => void;
  /** Calls back with what other processes tell. */
  readonly onTold: (listener: (chatId: number, waitMs: number) => void) => void;
};

export function createSharedPauses(
  { clock }: { readonly clock: () => number },
  events: Pick<ChatEvents, 'tell' | 'onTold'>,
): SharedPauses {
  return {
    tell: (chatId, waitMs) => events.tell({ kind: 'paused', chatId, until: clock() + waitMs }),
    onTold: (listener) =>
      events.onTold((event) => {
        if (event.kind === 'paused') {
          listener(event.chatId, event.until - clock());
        }
      }),
  };
}

/**
 * As long as Telegram says, or longer each time while it does not answer. When two chats have to wait at the
 * same time, all of them do.
 */
export function createPauses(clock: () => number, shared?: SharedPauses) {
  const chats = new Map<number, { readonly until: number; readonly failures: number }>();
  let allUntil = 0;

  function add(chatId: number, until: number, failures: number): void {
    const now = clock();
    const isAnotherWaiting = [...chats].some(
      ([otherId, other]) => otherId !== chatId && other.until > now,
    );
    chats.set(chatId, { until, failures });
    if (isAnotherWaiting) {
      allUntil = Math.max(allUntil, until);
    }
  }

  shared?.onTold((chatId, waitMs) => {
    const known = chats.get(chatId);
    if (waitMs > 0) {
      add(chatId, Math.max(known?.until ?? 0, clock() + waitMs), known?.failures ?? 0);
    }
  });

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
      add(chatId, until, failures);
      if (retryAfterS !== undefined) {
        shared?.tell(chatId, waitMs);
      }
      return Math.max(allUntil, until);
    },

    /** To be called when Telegram has answered. */
    reset: (chatId: number) => chats.delete(chatId),
  };
}
