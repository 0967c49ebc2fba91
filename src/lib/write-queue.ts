/**
 * Keeps values that a person flips quickly in step with a slow server: a wish shows at once, each key
 * has at most one write under way, the last wish wins, and a late read never undoes a newer write.
 * Many values can be changed by one write; they follow the same rules.
 */

/** A write that is under way or waits for others to end. */
type Turn = { ended: Promise<unknown> };

type Wish<Value> = {
  wanted: Value;
  /** The last write of this key that has been begun; it looks after the wish when it ends. */
  turn: Turn;
};

type WriteOfMany<Value> = {
  /** Sends all values at once; resolves to those that the server has now. */
  readonly write: () => Promise<ReadonlyMap<string, Value>>;
  readonly onConfirmed: (confirmed: ReadonlyMap<string, Value>) => void;
};

type WriteQueueOptions<Value> = {
  /** Sends the value itself, never "flip it", so that repeating it is harmless. */
  readonly write: (key: string, value: Value) => Promise<void>;
  /** The server has the value now; whoever keeps the server's facts takes it over, at once. */
  readonly onConfirmed: (key: string, value: Value) => void;
  /** The last wish was refused and is given up; whether the server has it is not known. */
  readonly onFailed: (key: string, error: unknown) => void;
};

export type WriteQueue<Value> = {
  /** Shows the value at once and sends it, after the write of this key that is under way. */
  readonly choose: (key: string, value: Value) => void;
  /**
   * Shows all values at once and sends them in one write, after the writes of these keys that are
   * under way. Rejects when it is refused: whatever nobody has wished since is then given up.
   */
  readonly chooseAll: (
    values: ReadonlyMap<string, Value>,
    many: WriteOfMany<Value>,
  ) => Promise<void>;
  /** What is wished and not settled yet; undefined when the server's value is to be shown. */
  readonly wishFor: (key: string) => Value | undefined;
  /**
   * Marks the start of a read. The returned function says what to keep of an answer to it: the value
   * that was read, or the one that a write has confirmed since.
   */
  readonly beginRead: () => (key: string, read: Value) => Value;
  /** Calls back whenever a wish appears, changes or is settled. Returns the undo. */
  readonly subscribe: (listener: () => void) => () => void;
};

export function createWriteQueue<Value>({
  write,
  onConfirmed,
  onFailed,
}: WriteQueueOptions<Value>): WriteQueue<Value> {
  /** A wish is here exactly as long as a write of its key is under way. */
  const wishes = new Map<string, Wish<Value>>();
  const { confirm, beginRead } = createLedger<Value>();
  const { changed, subscribe } = createListeners();

  function start(key: string, wish: Wish<Value>): void {
    const turn: Turn = { ended: Promise.resolve() };
    wish.turn = turn;
    turn.ended = send(key, wish);
  }

  async function send(key: string, wish: Wish<Value>): Promise<void> {
    const { wanted: sent, turn } = wish;
    let failure: { readonly error: unknown } | undefined;
    try {
      await write(key, sent);
      confirm([[key, sent]]);
      onConfirmed(key, sent);
    } catch (error) {
      failure = { error };
    }
    if (wish.turn !== turn) {
      // A write of many values has taken this one over.
      return;
    }
    if (wish.wanted !== sent) {
      await send(key, wish);
      return;
    }
    wishes.delete(key);
    if (failure) {
      onFailed(key, failure.error);
    }
    changed();
  }

  async function sendAll(
    values: ReadonlyMap<string, Value>,
    { write: writeAll, onConfirmed: onAllConfirmed }: WriteOfMany<Value>,
    turn: Turn,
  ): Promise<void> {
    try {
      const taken = await writeAll();
      confirm(taken);
      onAllConfirmed(taken);
    } finally {
      for (const [key, sent] of values) {
        const wish = wishes.get(key);
        if (wish?.turn !== turn) {
          continue;
        }
        if (wish.wanted === sent) {
          wishes.delete(key);
        } else {
          start(key, wish);
        }
      }
      changed();
    }
  }

  return {
    choose: (key, value) => {
      const wish = wishes.get(key);
      if (wish) {
        wish.wanted = value;
      } else {
        const fresh = { wanted: value, turn: { ended: Promise.resolve() } };
        wishes.set(key, fresh);
        start(key, fresh);
      }
      changed();
    },

    chooseAll: async (values, many) => {
      const turn: Turn = { ended: Promise.resolve() };
      const before = takeOver(wishes, values, turn);
      const sent = Promise.all(before).then(() => sendAll(values, many, turn));
      // Whoever waits for it only wants to know when it is over.
      turn.ended = sent.catch(() => undefined);
      changed();
      await sent;
    },

    wishFor: (key) => wishes.get(key)?.wanted,

    beginRead,
    subscribe,
  };
}

/** Takes the keys over. Returns the writes that have to end first. */
function takeOver<Value>(
  wishes: Map<string, Wish<Value>>,
  values: ReadonlyMap<string, Value>,
  turn: Turn,
): ReadonlySet<Promise<unknown>> {
  const before = new Set<Promise<unknown>>();
  for (const [key, wanted] of values) {
    const wish = wishes.get(key);
    if (wish) {
      before.add(wish.turn.ended);
      wish.wanted = wanted;
      wish.turn = turn;
    } else {
      wishes.set(key, { wanted, turn });
    }
  }
  return before;
}

/** Remembers what the server has confirmed, and when: reads that began before it are older. */
function createLedger<Value>() {
  const confirmed = new Map<string, { readonly value: Value; readonly at: number }>();
  let confirmations = 0;
  return {
    confirm: (values: Iterable<readonly [string, Value]>): void => {
      confirmations += 1;
      for (const [key, value] of values) {
        confirmed.set(key, { value, at: confirmations });
      }
    },
    beginRead: () => {
      const begun = confirmations;
      return (key: string, read: Value): Value => {
        const newer = confirmed.get(key);
        return newer && newer.at > begun ? newer.value : read;
      };
    },
  };
}

function createListeners() {
  const listeners = new Set<() => void>();
  return {
    changed: (): void => {
      for (const listener of listeners) {
        listener();
      }
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
