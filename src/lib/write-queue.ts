/**
 * Keeps values that the user changes quickly in step with a slow server: a pending value is shown at
 * once, each key has at most one write in flight, the last value wins, and a late read never
 * overwrites a newer write. One write can change many values; the same rules apply to them. Without a
 * network a write waits until there is one.
 */
import { isOffline, untilOnline } from './offline.ts';

/** A write that is in flight or waits for earlier writes to end. */
type PendingWrite = { ended: Promise<unknown> };

type PendingValue<Value> = {
  value: Value;
  /** The newest write of this key; when it ends, it sends or removes the pending value. */
  write: PendingWrite;
};

type WriteOfMany<Value> = {
  /** Sends all values together; resolves to the values that the server has now. */
  readonly write: () => Promise<ReadonlyMap<string, Value>>;
  readonly onConfirmed: (confirmed: ReadonlyMap<string, Value>) => void;
};

type WriteQueueOptions<Value> = {
  /** Sends the value itself, never "flip it", so that repeating it is harmless. */
  readonly write: (key: string, value: Value) => Promise<void>;
  /** The server has the value now. Must update the cache synchronously. */
  readonly onConfirmed: (key: string, value: Value) => void;
  /** The last value was refused and is dropped. Whether the server has stored it is unknown. */
  readonly onFailed: (key: string, error: unknown) => void;
};

export type WriteQueue<Value> = {
  /** Shows the value at once and sends it after the write of this key that is in flight. */
  readonly choose: (key: string, value: Value) => void;
  /**
   * Shows all values at once and sends them in one write, after the writes of these keys that are in
   * flight. Rejects when the write is refused; values that were not changed again are then dropped.
   */
  readonly chooseAll: (
    values: ReadonlyMap<string, Value>,
    many: WriteOfMany<Value>,
  ) => Promise<void>;
  /** The value that is not confirmed yet; undefined when the server's value is to be shown. */
  readonly getPending: (key: string) => Value | undefined;
  /** All of these by their keys; the same map as long as none of them changes. */
  readonly listPending: () => ReadonlyMap<string, Value>;
  /** The keys of the values that wait for the network. */
  readonly listWaiting: () => ReadonlySet<string>;
  /**
   * Marks the start of a read. The returned function takes a value from the answer and returns the
   * one to keep: that value, or a newer one that a write has confirmed since the read began.
   */
  readonly beginRead: () => (key: string, read: Value) => Value;
  /** Calls back whenever a pending value is added, changed or removed, or waits. Returns the unsubscribe function. */
  readonly subscribe: (listener: () => void) => () => void;
};

export function createWriteQueue<Value>({
  write,
  onConfirmed,
  onFailed,
}: WriteQueueOptions<Value>): WriteQueue<Value> {
  /** A key is in here exactly as long as a write of it is in flight or waits. */
  const pending = new Map<string, PendingValue<Value>>();
  const { confirm, beginRead } = createConfirmations<Value>();
  const { changed, sendWhenOnline, ...told } = createListeners(pending);

  function start(key: string, entry: PendingValue<Value>): void {
    const current: PendingWrite = { ended: Promise.resolve() };
    entry.write = current;
    current.ended = send(key, entry);
  }

  async function send(key: string, entry: PendingValue<Value>): Promise<void> {
    const { write: current } = entry;
    let sent = entry.value;
    let failure: { readonly error: unknown } | undefined;
    try {
      await sendWhenOnline([key], () => {
        sent = entry.value;
        return write(key, sent);
      });
      confirm([[key, sent]]);
      onConfirmed(key, sent);
    } catch (error) {
      failure = { error };
    }
    if (entry.write !== current) {
      // A write of many values now includes this key.
      return;
    }
    if (entry.value !== sent) {
      await send(key, entry);
      return;
    }
    pending.delete(key);
    if (failure) {
      onFailed(key, failure.error);
    }
    changed();
  }

  async function sendAll(
    values: ReadonlyMap<string, Value>,
    { write: writeAll, onConfirmed: onAllConfirmed }: WriteOfMany<Value>,
    current: PendingWrite,
  ): Promise<void> {
    try {
      const taken = await sendWhenOnline([...values.keys()], writeAll);
      confirm(taken);
      onAllConfirmed(taken);
    } finally {
      for (const [key, sent] of values) {
        const entry = pending.get(key);
        if (entry?.write !== current) {
          continue;
        }
        if (entry.value === sent) {
          pending.delete(key);
        } else {
          start(key, entry);
        }
      }
      changed();
    }
  }

  return {
    choose: (key, value) => {
      const entry = pending.get(key);
      if (entry) {
        entry.value = value;
      } else {
        const added = { value, write: { ended: Promise.resolve() } };
        pending.set(key, added);
        start(key, added);
      }
      changed();
    },

    chooseAll: async (values, many) => {
      const current: PendingWrite = { ended: Promise.resolve() };
      const earlier = addToWrite(pending, values, current);
      const sent = Promise.all(earlier).then(() => sendAll(values, many, current));
      // Later writes wait for its end, whether it succeeds or fails.
      current.ended = sent.catch(() => undefined);
      changed();
      await sent;
    },

    getPending: (key) => pending.get(key)?.value,

    beginRead,
    ...told,
  };
}

/** Makes `write` the newest write of all keys. Returns the ends of the writes that must end first. */
function addToWrite<Value>(
  pending: Map<string, PendingValue<Value>>,
  values: ReadonlyMap<string, Value>,
  write: PendingWrite,
): ReadonlySet<Promise<unknown>> {
  const earlier = new Set<Promise<unknown>>();
  for (const [key, value] of values) {
    const entry = pending.get(key);
    if (entry) {
      // Changed in place: the earlier write compares its own entry when it ends.
      earlier.add(entry.write.ended);
      entry.value = value;
      entry.write = write;
    } else {
      pending.set(key, { value, write });
    }
  }
  return earlier;
}

/**
 * What is sent again as soon as there is a network, unless its user has left. Calls `changed` when something begins or
 * ends to wait.
 */
function createWaiting(changed: () => void) {
  const waiting = new Set<string>();
  async function sendWhenOnline<Result>(
    keys: readonly string[],
    sendNow: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await sendNow();
    } catch (error) {
      if (!isOffline(error) || !(await wait(keys))) {
        throw error;
      }
    }
    return sendWhenOnline(keys, sendNow);
  }

  /** Returns whether there is a network now. */
  async function wait(keys: readonly string[]): Promise<boolean> {
    keys.forEach((key) => waiting.add(key));
    changed();
    const isOnline = await untilOnline();
    keys.forEach((key) => waiting.delete(key));
    changed();
    return isOnline;
  }

  return { waiting, sendWhenOnline };
}

/** Remembers the values that the server has confirmed, and their order: reads that began earlier are older. */
function createConfirmations<Value>() {
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
      const beganAt = confirmations;
      return (key: string, read: Value): Value => {
        const newer = confirmed.get(key);
        return newer && newer.at > beganAt ? newer.value : read;
      };
    },
  };
}

/** What waits, whom a change of the pending values is told, and what they read then. */
function createListeners<Value>(pending: ReadonlyMap<string, PendingValue<Value>>) {
  const listeners = new Set<() => void>();
  let listed: ReadonlyMap<string, Value> | undefined;
  const changed = (): void => {
    listed = undefined;
    for (const listener of listeners) {
      listener();
    }
  };
  const { waiting, sendWhenOnline } = createWaiting(changed);
  return {
    changed,
    sendWhenOnline,
    listWaiting: () => waiting,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    listPending: (): ReadonlyMap<string, Value> => {
      listed ??= new Map([...pending].map(([key, { value }]) => [key, value]));
      return listed;
    },
  };
}
