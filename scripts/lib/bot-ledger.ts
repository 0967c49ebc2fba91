/** Records at the Bot API stand-in which messages the bot received and which it deleted. */

type Content = Readonly<Record<string, unknown>>;

export type LedgerTotals = {
  readonly blocked: number;
  /** Blocked and not deleted. */
  readonly missed: number;
  /** Deleted and not blocked. */
  readonly wrong: number;
  /** Blocked and deleted more than once. */
  readonly twice: number;
  /** Milliseconds from sending an update to receiving its deletion, sorted. */
  readonly waits: readonly number[];
};

export type BotLedger = {
  /** Records a call to the Bot API. */
  readonly recordCall: (method: string, body: Content) => void;
  /** Records updates that are about to be sent to the bot. */
  readonly recordUpdates: (updates: readonly Content[]) => void;
  /** Adds a message that has to be deleted. */
  readonly expect: (key: string) => void;
  /** The bot has handled every update before this one. */
  readonly offset: () => number;
  /** Returns the totals since the last call. */
  readonly totals: () => LedgerTotals;
};

export const messageKey = (chatId: unknown, messageId: unknown): string =>
  `${String(chatId)}:${String(messageId)}`;

export function createBotLedger(): BotLedger {
  const sentAt = new Map<string, number>();
  const deletions = new Map<string, number>();
  const expected = new Set<string>();
  const waits: number[] = [];
  let offset = 0;

  function noteDeletion(key: string, now: number): void {
    const times = deletions.get(key) ?? 0;
    deletions.set(key, times + 1);
    const since = sentAt.get(key);
    if (times === 0 && since !== undefined) {
      waits.push(now - since);
    }
  }

  return {
    recordCall(method, body) {
      if (method === 'getUpdates') {
        offset = Math.max(offset, Number(body['offset'] ?? 0));
      } else if (method === 'deleteMessage') {
        noteDeletion(messageKey(body['chat_id'], body['message_id']), performance.now());
      } else if (method === 'deleteMessages' && Array.isArray(body['message_ids'])) {
        for (const id of body['message_ids']) {
          noteDeletion(messageKey(body['chat_id'], id), performance.now());
        }
      }
    },

    recordUpdates(updates) {
      const now = performance.now();
      for (const { message, edited_message } of updates) {
        const { chat, message_id } = Object(message ?? edited_message);
        const key = messageKey(chat.id, message_id);
        if (!sentAt.has(key)) {
          sentAt.set(key, now);
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
      sentAt.clear();
      waits.length = 0;
      return totals;
    },
  };
}
