/** Remembers what is being deleted, or was a short while ago. */

const keptMs = 30_000;

export type RecentDeletions<T> = {
  readonly find: (chatId: number, messageId: number) => T | undefined;
  readonly add: (chatId: number, messageId: number, value: T) => void;
  readonly forget: (chatId: number, messageId: number) => void;
};

/** Each is remembered between half a minute and a whole one. */
export function createRecentDeletions<T>(clock: () => number): RecentDeletions<T> {
  let fresh = new Map<string, T>();
  let older = new Map<string, T>();
  let turnAt = clock() + keptMs;

  function age(): void {
    const now = clock();
    if (now >= turnAt) {
      older = now >= turnAt + keptMs ? new Map<string, T>() : fresh;
      fresh = new Map<string, T>();
      turnAt = now + keptMs;
    }
  }

  return {
    find(chatId, messageId) {
      age();
      const key = keyOf(chatId, messageId);
      return fresh.get(key) ?? older.get(key);
    },
    add(chatId, messageId, value) {
      age();
      fresh.set(keyOf(chatId, messageId), value);
    },
    forget(chatId, messageId) {
      const key = keyOf(chatId, messageId);
      fresh.delete(key);
      older.delete(key);
    },
  };
}

function keyOf(chatId: number, messageId: number): string {
  return `${chatId}:${messageId}`;
}
