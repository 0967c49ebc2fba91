/**
 * Knows what each topic of each chat blocks, without asking the database for each message. On SQLite
 * this server is the only one that writes, and every write is announced, so that what is remembered is
 * true; on PostgreSQL another server may write unheard, and the database is asked each time.
 */
import { allMessageTypes, type MessageType, settingName } from '#contract/chats/message-types';
import { createBlockedTypeRepository } from '#server/db/blocked-types';
import { type Database } from '#server/db/client';
import { type ChatEvents } from '#services/chats';

/** Topic id → the types it blocks; topics that block nothing are left out. */
type ChatRules = ReadonlyMap<number, ReadonlySet<MessageType>>;

const typeOfName: ReadonlyMap<string, MessageType> = new Map(
  allMessageTypes.map((type) => [settingName(type), type]),
);

export type ChatRuleBook = {
  /** At once where possible. What changed before the call began is in the answer. */
  readonly of: (chatId: number) => ChatRules | Promise<ChatRules>;
  /** What is remembered of a chat is not true any more. */
  readonly forget: (chatId: number) => void;
};

const nothing: ChatRules = new Map();

export function createChatRuleBook(database: Database, events: ChatEvents): ChatRuleBook {
  const stored = createBlockedTypeRepository(database.db);
  const read = async (chatId: number) => compile(await stored.ofChat(chatId));

  if (database.engine === 'postgres') {
    return { of: onceAtATime(read), forget: () => undefined };
  }
  const book = createMemory(() => stored.chats(), read);
  events.followAll((event, chatId) => {
    book.forget(chatId);
    if (event.kind === 'upgraded') {
      book.forget(Number(event.chat_id));
    }
  });
  return book;
}

function createMemory(
  chatsThatBlock: () => Promise<readonly number[]>,
  read: (chatId: number) => Promise<ChatRules>,
): ChatRuleBook {
  /** All chats that may block something: messages in any other cost nothing. */
  const watched = new Set<number>();
  const known = new Map<number, ChatRules | Promise<ChatRules>>();
  let isLoaded = false;
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    for (const chatId of await chatsThatBlock()) {
      watched.add(chatId);
    }
    isLoaded = true;
  }

  function rules(chatId: number): ChatRules | Promise<ChatRules> {
    if (!watched.has(chatId)) {
      return nothing;
    }
    const present = known.get(chatId);
    if (present !== undefined) {
      return present;
    }
    const reading = read(chatId);
    known.set(chatId, reading);
    void remember(chatId, reading);
    return reading;
  }

  async function remember(chatId: number, reading: Promise<ChatRules>): Promise<void> {
    const fresh = await reading.catch(() => undefined);
    // Forgotten meanwhile: what was read may be older than the change.
    if (known.get(chatId) !== reading) {
      return;
    }
    if (fresh === undefined) {
      known.delete(chatId);
    } else if (fresh.size === 0) {
      known.delete(chatId);
      watched.delete(chatId);
    } else {
      known.set(chatId, fresh);
    }
  }

  async function loaded(chatId: number): Promise<ChatRules> {
    loading ??= load().finally(() => {
      loading = undefined;
    });
    await loading;
    return rules(chatId);
  }

  return {
    of: (chatId) => (isLoaded ? rules(chatId) : loaded(chatId)),
    forget: (chatId) => {
      watched.add(chatId);
      known.delete(chatId);
    },
  };
}

function compile(blocked: readonly { topicId: number; name: string }[]): ChatRules {
  const rules = new Map<number, Set<MessageType>>();
  for (const { topicId, name } of blocked) {
    const type = typeOfName.get(name);
    if (type !== undefined) {
      const types = rules.get(topicId) ?? new Set();
      rules.set(topicId, types.add(type));
    }
  }
  return rules;
}

/** Of those who ask while one is read, all get the next reading: it began after they asked. */
function onceAtATime<T>(read: (chatId: number) => Promise<T>): (chatId: number) => Promise<T> {
  type Reading = { readonly present: Promise<T>; next: Promise<T> | undefined };
  const underWay = new Map<number, Reading>();

  function start(chatId: number): Promise<T> {
    const reading: Reading = { present: read(chatId), next: undefined };
    underWay.set(chatId, reading);
    void leave(chatId, reading);
    return reading.present;
  }

  async function leave(chatId: number, reading: Reading): Promise<void> {
    await reading.present.catch(() => undefined);
    if (underWay.get(chatId) === reading && reading.next === undefined) {
      underWay.delete(chatId);
    }
  }

  return (chatId) => {
    const reading = underWay.get(chatId);
    if (reading === undefined) {
      return start(chatId);
    }
    const begin = () => start(chatId);
    reading.next ??= reading.present.then(begin, begin);
    return reading.next;
  };
}
