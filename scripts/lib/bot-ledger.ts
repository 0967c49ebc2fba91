/** Notes, from the other side of the Bot API, what the bot was shown and what it had deleted. */

type Content = Readonly<Record<string, unknown>>;

export type LedgerTotals = {
  readonly blocked: number;
  /** Blocked, and not deleted. */
  readonly missed: number;
  /** Deleted, and not blocked. */
  readonly wrong: number;
  /** Blocked, and deleted more than once. */
  readonly twice: number;
  /** Milliseconds from the update handed out to the order to delete received, in order. */
  readonly waits: readonly number[];
};

export type BotLedger = {
  /** A call has arrived at the Bot API. */
  readonly heard: (method: string, body: Content) => void;
  /** Updates are about to be handed out. */
  readonly handedOut: (updates: readonly Content[]) => void;
  /** A message that has to be deleted. */
  readonly expect: (key: string) => void;
  /** Everything before this update is worked off. */
  readonly offset: () => number;
  /** What was noted since the last time. */
  readonly totals: () => LedgerTotals;
};

export const keyOf = (chatId: unknown, messageId: unknown): string =>
  `${String(chatId)}:${String(messageId)}`;

export function createBotLedger(): BotLedger {
  const handedOutAt = new Map<string, number>();
  const deletions = new Map<string, number>();
  const expected = new Set<string>();
  const waits: number[] = [];
  let offset = 0;

  function noteDeletion(key: string, now: number): void {
    const times = deletions.get(key) ?? 0;
    deletions.set(key, times + 1);
    const since = handedOutAt.get(key);
    if (times === 0 && since !== undefined) {
      waits.push(now - since);
    }
  }

  return {
    heard(method, body) {
      if (method === 'getUpdates') {
        offset = Math.max(offset, Number(body['offset'] ?? 0));
      } else if (method === 'deleteMessage') {
        noteDeletion(keyOf(body['chat_id'], body['message_id']), performance.now());
      } else if (method === 'deleteMessages' && Array.isArray(body['message_ids'])) {
        for (const id of body['message_ids']) {
          noteDeletion(keyOf(body['chat_id'], id), performance.now());
        }
      }
    },

    handedOut(updates) {
      const now = performance.now();
      for (const { message, edited_message } of updates) {
        const { chat, message_id } = Object(message ?? edited_message);
        const key = keyOf(chat.id, message_id);
        if (!handedOutAt.has(key)) {
          handedOutAt.set(key, now);
        }
      }
    },

    expect: (key) => void expected.add(key),
    offset: () => offset,

    totals() {
      const totals = {
        blocked: expected.size,
        missed: [...expected].filter((key) => !deletions.has(key)).length,
        wrong: [...deletions.keys()].filter((key) => !expected.has(key)).length,
        twice: [...deletions].filter(([key, times]) => expected.has(key) && times > 1).length,
        waits: waits.toSorted((one, other) => one - other),
      };
      expected.clear();
      deletions.clear();
      handedOutAt.clear();
      waits.length = 0;
      return totals;
    },
  };
}
