/** Records at the Bot API stand-in which messages were sent to the bot and which it deleted. */

type Content = Readonly<Record<string, unknown>>;

export type LedgerTotals = {
  readonly blocked: number;
  /** Blocked and not deleted. */
  readonly missed: number;
  /** Deleted and not blocked. */
  readonly wrong: number;
  /** Blocked and deleted more than once. */
  readonly twice: number;
  /** Milliseconds from writing a message to the bot's order to delete it, sorted. */
  readonly waits: readonly number[];
};

type Where = (chatId: string) => boolean;

export type BotLedger = {
  /** Records a call to the Bot API. */
  readonly recordCall: (method: string, body: Content) => void;
  /** Records that a message was written just now. */
  readonly recordMessage: (key: string) => void;
  /** Adds a message that has to be deleted. */
  readonly expect: (key: string) => void;
  /** The bot has received every update before this one. */
  readonly offset: () => number;
  /** Whether every message that has to be deleted is deleted. */
  readonly isDone: () => boolean;
  /** Returns the totals since the last `clear`, of all chats or of some. */
  readonly totals: (where?: Where) => LedgerTotals;
  readonly clear: () => void;
};

export const messageKey = (chatId: unknown, messageId: unknown): string =>
  `${String(chatId)}:${String(messageId)}`;

export function createBotLedger(): BotLedger {
  const writtenAt = new Map<string, number>();
  const deletions = new Map<string, number>();
  const expected = new Set<string>();
  const waits = new Map<string, number>();
  let offset = 0;

  function noteDeletion(key: string, now: number): void {
    const times = deletions.get(key) ?? 0;
    deletions.set(key, times + 1);
    const since = writtenAt.get(key);
    if (times === 0 && since !== undefined) {
      waits.set(key, now - since);
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

    recordMessage: (key) => void writtenAt.set(key, performance.now()),

    expect: (key) => void expected.add(key),
    offset: () => offset,

    isDone: () => [...expected].every((key) => deletions.has(key)),

    totals(where = () => true) {
      const isIn = (key: string) => where(key.split(':')[0] ?? '');
      const blocked = [...expected].filter(isIn);
      const deleted = [...deletions].filter(([key]) => isIn(key));
      return {
        blocked: blocked.length,
        missed: blocked.filter((key) => !deletions.has(key)).length,
        wrong: deleted.filter(([key]) => !expected.has(key)).length,
        twice: deleted.filter(([key, times]) => expected.has(key) && times > 1).length,
        waits: [...waits]
          .filter(([key]) => isIn(key))
          .map(([, ms]) => ms)
          .toSorted((one, other) => one - other),
      };
    },

    clear: () => {
      expected.clear();
      deletions.clear();
      writtenAt.clear();
      waits.clear();
    },
  };
}
