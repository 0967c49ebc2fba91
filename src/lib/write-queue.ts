/**
 * Keeps values that a person flips quickly in step with a slow server: a wish shows at once, each key
 * has at most one write under way, the last wish wins, and a late read never undoes a newer write.
 */

type Wish<Value> = { wanted: Value };

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
  const confirmed = new Map<string, { readonly value: Value; readonly at: number }>();
  const listeners = new Set<() => void>();
  let confirmations = 0;

  function changed() {
    for (const listener of listeners) {
      listener();
    }
  }

  async function send(key: string, wish: Wish<Value>): Promise<void> {
    const sent = wish.wanted;
    let failure: { readonly error: unknown } | undefined;
    try {
      await write(key, sent);
      confirmations += 1;
      confirmed.set(key, { value: sent, at: confirmations });
      onConfirmed(key, sent);
    } catch (error) {
      failure = { error };
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

  return {
    choose: (key, value) => {
      const wish = wishes.get(key);
      if (wish) {
        wish.wanted = value;
      } else {
        const fresh = { wanted: value };
        wishes.set(key, fresh);
        void send(key, fresh);
      }
      changed();
    },

    wishFor: (key) => wishes.get(key)?.wanted,

    beginRead: () => {
      const begun = confirmations;
      return (key, read) => {
        const newer = confirmed.get(key);
        return newer && newer.at > begun ? newer.value : read;
      };
    },

    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
