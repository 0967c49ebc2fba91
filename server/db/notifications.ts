/**
 * Wakes the processes that share a database when one of them has written something that the others read. A notification
 * carries nothing: who is woken reads the rows. See docs/decisions/045.
 */
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** What may be read anew: events of chats, updates of the bot, and jobs of workers. */
const channelNames = ['chat_events', 'bot_inbox', 'jobs'] as const;
export type Channel = (typeof channelNames)[number];

export type Notifications = {
  /**
   * Calls `onWake` after each notification, of this process, too, and whenever some may have been missed, until the
   * returned function is called. It must not throw.
   */
  readonly listen: (channel: Channel, onWake: () => void) => () => void;
  /** Wakes all processes, soon: several calls wake them once. Never throws. */
  readonly notify: (channel: Channel) => void;
  readonly close: () => Promise<void>;
};

/** On SQLite there is one process. */
export function createLocalNotifications(): Notifications {
  const channels = createChannels();
  return { listen: channels.listen, notify: channels.wake, close: () => Promise.resolve() };
}

function createChannels() {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    listen: (channel: Channel, onWake: () => void) => {
      emitter.on(channel, onWake);
      return () => void emitter.off(channel, onWake);
    },
    wake: (channel: Channel) => void emitter.emit(channel),
    wakeAll: () => emitter.eventNames().forEach((name) => emitter.emit(name)),
  };
}

/** PostgreSQL delivers the notifications of all commits in one order, so many small ones are slow. */
const gatherMs = 20;
const reconnectAfterMs = 250;
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
/** A listening connection is silent for hours, and does not notice when the other side is gone. */
const checkEveryMs = 5000;
const checkTimeoutMs = 5000;

/**
 * `url` leads to PostgreSQL itself, not to a pooler. The connection is opened with the first listener, and again whenever
 * it breaks. `send` writes by a connection of the pool.
 */
export function createPostgresNotifications(
  url: string,
  send: (channel: Channel) => Promise<unknown>,
): Notifications {
  const channels = createChannels();
  const closing = new AbortController();
  const waiting = new Set<Channel>();
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let client: Client | undefined;

  async function sendAll(): Promise<void> {
    const some = [...waiting];
    waiting.clear();
    timer = undefined;
    // Who listens also looks regularly, so one that is lost only delays.
    await Promise.all(some.map((channel) => send(channel).catch(() => undefined)));
  }

  /** Resolves when the connection has ended. */
  async function listenOnce(): Promise<void> {
    const opened = new Client({
      connectionString: url,
      connectionTimeoutMillis: checkTimeoutMs,
      query_timeout: checkTimeoutMs,
      ...keepAlive,
    });
    client = opened;
    const ended = new Promise<void>((resolve) => {
      opened.on('end', resolve);
      opened.on('error', () => resolve());
    });
    try {
      await opened.connect();
      opened.on('notification', ({ payload }) => {
        const channel = channelNames.find((name) => name === payload);
        if (channel !== undefined) {
          channels.wake(channel);
        }
      });
      await opened.query('listen nori');
      channels.wakeAll();
      while (!closing.signal.aborted) {
        const isOver = await Promise.race([
          ended.then(() => true),
          sleep(checkEveryMs, false, { ref: false, signal: closing.signal }),
        ]);
        if (isOver) {
          return;
        }
        await opened.query('select 1');
      }
    } finally {
      await opened.end().catch(() => undefined);
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await listenOnce().catch(() => undefined);
      await sleep(reconnectAfterMs, undefined, { ref: false, signal: closing.signal }).catch(
        () => undefined,
      );
    }
  }

  return {
    listen: (channel, onWake) => {
      running ??= run();
      return channels.listen(channel, onWake);
    },

    notify: (channel) => {
      if (closing.signal.aborted) {
        return;
      }
      waiting.add(channel);
      timer ??= setTimeout(() => void sendAll(), gatherMs).unref();
    },

    close: async () => {
      closing.abort();
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
      await running;
    },
  };
}
