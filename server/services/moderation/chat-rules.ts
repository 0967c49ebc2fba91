/**
 * What each topic of each chat blocks, without a read of the database for each message. On SQLite this
 * server is the only one that writes, and it publishes every change, so the rules are kept in memory; on
 * PostgreSQL another server may write, and the rules are read each time.
 */
import { allMessageTypes, type MessageType, settingName } from '#contract/chats/message-types';
import { createBlockedTypeRepository } from '#server/db/blocked-types';
import { type Database } from '#server/db/client';
import { type ChatEvents } from '#services/chats';

/** Topic id → the types it blocks; topics that block nothing are left out. */
type BlockedByTopic = ReadonlyMap<number, ReadonlySet<MessageType>>;

const typeBySettingName: ReadonlyMap<string, MessageType> = new Map(
  allMessageTypes.map((type) => [settingName(type), type]),
);

export type ChatRules = {
  /** Includes every change from before the call. */
  readonly get: (chatId: number) => Promise<BlockedByTopic>;
};

const nothing: BlockedByTopic = new Map();

export function createChatRules(database: Database, events: ChatEvents): ChatRules {
  const repository = createBlockedTypeRepository(database.db);
  const read = async (chatId: number) => groupByTopic(await repository.listOfChat(chatId));

  if (database.engine === 'postgres') {
    return { get: shareReads(read) };
  }
  const cache = createCache(() => repository.listChats(), read);
  events.followAll((event, chatId) => {
    cache.forget(chatId);
    if (event.kind === 'upgraded') {
      cache.forget(Number(event.chat_id));
    }
  });
  return cache;
}

function createCache(
  readBlockingChats: () => Promise<readonly number[]>,
  read: (chatId: number) => Promise<BlockedByTopic>,
): ChatRules & { readonly forget: (chatId: number) => void } {
  /** All chats that may block something: messages in other chats need no read. */
  const watched = new Set<number>();
  const known = new Map<number, Promise<BlockedByTopic>>();
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    try {
      for (const chatId of await readBlockingChats()) {
        watched.add(chatId);
      }
    } catch (error) {
      loading = undefined;
      throw error;
    }
  }

  async function readOrForget(chatId: number): Promise<BlockedByTopic> {
    try {
      return await read(chatId);
    } catch (error) {
      known.delete(chatId);
      throw error;
    }
  }

  return {
    get: async (chatId) => {
      loading ??= load();
      await loading;
      if (!watched.has(chatId)) {
        return nothing;
      }
      const rules = known.get(chatId) ?? readOrForget(chatId);
      known.set(chatId, rules);
      return rules;
    },
    forget: (chatId) => {
      watched.add(chatId);
      known.delete(chatId);
    },
  };
}

function groupByTopic(blocked: readonly { topicId: number; name: string }[]): BlockedByTopic {
  const rules = new Map<number, Set<MessageType>>();
  for (const { topicId, name } of blocked) {
    const type = typeBySettingName.get(name);
    if (type !== undefined) {
      const types = rules.get(topicId) ?? new Set();
      rules.set(topicId, types.add(type));
    }
  }
  return rules;
}

/** Reads one at a time for each chat: all calls during a read share the next read, which begins after them. */
function shareReads<T>(read: (chatId: number) => Promise<T>): (chatId: number) => Promise<T> {
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
