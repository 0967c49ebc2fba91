/**
 * Reads what the bot needs for each message of a chat, without a read of the database for each. On SQLite this
 * server is the only one that writes, and it publishes every change, so what was read is kept in memory; on
 * PostgreSQL another server may write, and it is read each time.
 */
import { type ChatEvent } from '#contract/endpoints/chat-activity';
import { type Database } from '#server/db/client';

import { type ChatEvents } from './events.ts';

type Source<T> = {
  /** The chats that have anything to read, or will have when they are verified. */
  readonly listChats: () => Promise<readonly number[]>;
  readonly read: (chatId: number) => Promise<T>;
  /** What is read in all other chats. */
  readonly nothing: T;
  /** The event after which it may be another, besides an upgrade, and `topics` for a chat that was verified. */
  readonly changedBy: ChatEvent['kind'];
};

type Read<T> = (chatId: number) => Promise<T>;

/** Returns a function whose result includes every change from before its call. */
export function createChatReads<T>(
  { database, events }: { readonly database: Database; readonly events: ChatEvents },
  source: Source<T>,
): Read<T> {
  if (database.engine === 'postgres') {
    return shareReads(source.read);
  }
  const cache = createCache(source);
  events.followAll((event, chatId) => {
    if (event.kind === source.changedBy) {
      cache.watch(chatId);
    }
    if (event.kind === 'upgraded') {
      cache.watch(Number(event.chat_id));
    }
    if (event.kind === source.changedBy || event.kind === 'topics' || event.kind === 'upgraded') {
      cache.forget(chatId);
    }
  });
  return cache.get;
}

function createCache<T>({ listChats, read, nothing }: Source<T>) {
  /** All chats that may have something to read: other chats need no read. */
  const watched = new Set<number>();
  const known = new Map<number, Promise<T>>();
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    try {
      for (const chatId of await listChats()) {
        watched.add(chatId);
      }
    } catch (error) {
      loading = undefined;
      throw error;
    }
  }

  async function readOrForget(chatId: number): Promise<T> {
    try {
      return await read(chatId);
    } catch (error) {
      known.delete(chatId);
      throw error;
    }
  }

  return {
    get: async (chatId: number): Promise<T> => {
      loading ??= load();
      await loading;
      if (!watched.has(chatId)) {
        return nothing;
      }
      const reading = known.get(chatId) ?? readOrForget(chatId);
      known.set(chatId, reading);
      return reading;
    },
    /** From now on the chat may have something to read. */
    watch: (chatId: number): void => {
      watched.add(chatId);
      known.delete(chatId);
    },
    forget: (chatId: number): void => void known.delete(chatId),
  };
}

/** Reads one at a time for each chat: all calls during a read share the next read, which begins after them. */
function shareReads<T>(read: Read<T>): Read<T> {
  type Reading = { readonly current: Promise<T>; next: Promise<T> | undefined };
  const inProgress = new Map<number, Reading>();

  function start(chatId: number): Promise<T> {
    const reading: Reading = { current: read(chatId), next: undefined };
    inProgress.set(chatId, reading);
    void leave(chatId, reading);
    return reading.current;
  }

  async function leave(chatId: number, reading: Reading): Promise<void> {
    await reading.current.catch(() => undefined);
    if (inProgress.get(chatId) === reading && reading.next === undefined) {
      inProgress.delete(chatId);
    }
  }

  return (chatId) => {
    const reading = inProgress.get(chatId);
    if (reading === undefined) {
      return start(chatId);
    }
    const begin = () => start(chatId);
    reading.next ??= reading.current.then(begin, begin);
    return reading.next;
  };
}
