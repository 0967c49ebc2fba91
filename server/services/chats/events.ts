/**
 * Publishes what happens in chats to open pages and to the bot, in this process and in the others that share its
 * database, and moves chats to new IDs. On SQLite there are no others. See docs/decisions/045.
 */
import { type Kysely } from 'kysely';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';

import { type ChatEvent, followChat } from '#contract/endpoints/chat-activity';
import { type Dependencies } from '#server/app/dependencies';
import {
  createChatEventRepository,
  type EventPosition,
  type NewEvent,
} from '#server/db/chat-events';
import { createChatRepository } from '#server/db/chats';
import { type Tables } from '#server/db/tables';
import { deriveKeys } from '#server/lib/derived-keys';
import { eventRules } from '#server/lib/limits';
import { createSecretBox } from '#server/lib/secret-box';

type Listener = (event: ChatEvent, chatId: number) => void;

/** `isOwn`: this process has published it. */
type GlobalListener = (event: ChatEvent, chatId: number, isOwn: boolean) => void;

const processEvent = v.variant('kind', [
  /** The administrators of a chat may have changed. */
  v.object({ kind: v.literal('administrators'), chatId: v.number() }),
  /** Telegram wants no calls about a chat; `until` in epoch milliseconds. */
  v.object({ kind: v.literal('paused'), chatId: v.number(), until: v.number() }),
  /** Sessions of a user were ended. */
  v.object({ kind: v.literal('sessions'), telegramId: v.number() }),
  /** A user has deleted their account. */
  v.object({ kind: v.literal('erased'), telegramId: v.number() }),
  /** A user has said that they are away. */
  v.object({ kind: v.literal('away'), telegramId: v.number() }),
]);

/** What processes tell each other and no page. */
type ProcessEvent = v.InferOutput<typeof processEvent>;

/** No listener may throw. */
export type ChatEvents = {
  /** Tells of what is stored already, or nowhere. `followAll` has heard of it when this returns. */
  readonly publish: (chatId: number, event: ChatEvent) => void;
  /**
   * Stores events in the transaction of their change, so that other processes hear of it even if this
   * one is killed. The returned function publishes them; it is to be called after the commit.
   */
  readonly save: (
    tx: Kysely<Tables>,
    chatId: number,
    events: readonly ChatEvent[],
  ) => Promise<() => void>;
  /** Runs `write` in a transaction that stores the event, too, and publishes it; not when `write` resolves to false. */
  readonly publishWith: <T>(
    chatId: number,
    event: ChatEvent,
    write: (tx: Kysely<Tables>) => Promise<T>,
  ) => Promise<T>;
  /** Follows one chat until the returned function is called. The changes of a chat come in their order. */
  readonly follow: (chatId: number, listener: Listener) => () => void;
  /** Follows all chats. */
  readonly followAll: (listener: GlobalListener) => void;
  /** Tells the other processes. */
  readonly tell: (event: ProcessEvent) => void;
  /** As `save` for other events, but nothing is to be called: the others hear of it within seconds. */
  readonly saveTold: (tx: Kysely<Tables>, event: ProcessEvent) => Promise<void>;
  /** Calls back with what other processes tell. */
  readonly onTold: (listener: (event: ProcessEvent) => void) => void;
  /** Calls back when events may be missing: what is known of chats is known no more. */
  readonly onMissed: (listener: () => void) => void;
  /** Resolves when nothing is missed from now on. Rejects when the database fails. */
  readonly ready: () => Promise<void>;
  /** Hears nothing of other processes any more. Resolves when they can hear of everything, or the database does not answer. */
  readonly stop: () => Promise<void>;
};

export function createChatEvents(deps: Dependencies): ChatEvents {
  return deps.database.engine === 'sqlite' ? createLocalEvents(deps) : createSharedEvents(deps);
}

function createListeners() {
  const byChat = new Map<number, Set<Listener>>();
  const global: GlobalListener[] = [];

  return {
    callAll: (event: ChatEvent, chatId: number, isOwn: boolean): void =>
      global.forEach((listener) => listener(event, chatId, isOwn)),

    callFollowers: (event: ChatEvent, chatId: number): void => {
      for (const listener of byChat.get(chatId) ?? []) {
        listener(event, chatId);
      }
    },

    follow: (chatId: number, listener: Listener): (() => void) => {
      const listeners = byChat.get(chatId) ?? new Set();
      byChat.set(chatId, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) {
          byChat.delete(chatId);
        }
      };
    },

    followAll: (listener: GlobalListener): void => void global.push(listener),
  };
}

const ignore = () => undefined;
const resolved = () => Promise.resolve();

function createPublishWith(
  db: Kysely<Tables>,
  save: ChatEvents['save'],
): ChatEvents['publishWith'] {
  return async (chatId, event, write) => {
    const { result, publishSaved } = await db.transaction().execute(async (tx) => {
      const written = await write(tx);
      const events = written === false ? [] : [event];
      return { result: written, publishSaved: await save(tx, chatId, events) };
    });
    publishSaved();
    return result;
  };
}

function createLocalEvents({ database: { db } }: Pick<Dependencies, 'database'>): ChatEvents {
  const { callAll, callFollowers, follow, followAll } = createListeners();
  const publish = (chatId: number, event: ChatEvent): void => {
    callAll(event, chatId, true);
    callFollowers(event, chatId);
  };
  const save: ChatEvents['save'] = async (_tx, chatId, events) => () =>
    events.forEach((event) => publish(chatId, event));
  return {
    publish,
    save,
    publishWith: createPublishWith(db, save),
    follow,
    followAll,
    tell: ignore,
    saveTold: resolved,
    onTold: ignore,
    onMissed: ignore,
    ready: resolved,
    stop: resolved,
  };
}

/**
 * Caches hear of this process's own events at once. Pages hear of them when they are read, together with those of other
 * processes, so that a page never shows what was replaced.
 */
function createSharedEvents(deps: Dependencies): ChatEvents {
  const { database, log } = deps;
  const { db, notifications } = database;
  const { callAll, callFollowers, follow, followAll } = createListeners();
  const origin = randomUUID();
  const { toRow, toTold, read } = createFormat(deps);
  const toldListeners: ((event: ProcessEvent) => void)[] = [];
  const missedListeners: (() => void)[] = [];

  const reader = createReader(deps, {
    onEvent: ({ chatId, origin: from, text }) => {
      const { event, told } = read(text);
      const isOwn = from === origin;
      if (event !== undefined) {
        if (!isOwn) {
          callAll(event, chatId, false);
        }
        callFollowers(event, chatId);
      }
      if (told !== undefined && !isOwn) {
        toldListeners.forEach((listener) => listener(told));
      }
    },
    onMissed: () => {
      log.warn('events of other processes may be missing: open pages read everything anew');
      missedListeners.forEach((listener) => listener());
    },
  });

  function wakeAll(): void {
    notifications.notify('chat_events');
    reader.wake();
  }

  const outgoing = createOutgoing(log, async (rows) => {
    await createChatEventRepository(db).add(origin, rows);
    wakeAll();
  });

  const save: ChatEvents['save'] = async (tx, chatId, events) => {
    if (events.length === 0) {
      return ignore;
    }
    const rows = events.map((event) => toRow(chatId, event));
    await createChatEventRepository(tx).add(origin, rows);
    return () => {
      events.forEach((event) => callAll(event, chatId, true));
      wakeAll();
    };
  };

  return {
    publish: (chatId, event) => {
      callAll(event, chatId, true);
      outgoing.add(toRow(chatId, event));
    },
    save,
    publishWith: createPublishWith(db, save),
    follow,
    followAll,
    tell: (event) => outgoing.add(toTold(event)),
    saveTold: (tx, event) => createChatEventRepository(tx).add(origin, [toTold(event)]),
    onTold: (listener) => void toldListeners.push(listener),
    onMissed: (listener) => void missedListeners.push(listener),
    ready: reader.ready,
    stop: async () => {
      reader.stop();
      await outgoing.finish();
    },
  };
}

const storedEvent = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ event: v.optional(followChat.output), told: v.optional(v.string()) }),
);

const sealContext = 'told';
const openedEvent = v.pipe(v.string(), v.parseJson(), processEvent);

/**
 * What stands in the rows. What processes tell each other is sealed: it names users, and is kept for a while when they
 * have deleted their account.
 */
function createFormat({ env, random }: Pick<Dependencies, 'env' | 'random'>) {
  const box = createSecretBox(deriveKeys(env.secretKeys, 'nori events'), random);
  return {
    toRow: (chatId: number, event: ChatEvent): NewEvent => ({
      chatId,
      text: JSON.stringify({ event }),
    }),

    toTold: (event: ProcessEvent): NewEvent => ({
      chatId: 0,
      text: JSON.stringify({ told: box.seal(JSON.stringify(event), sealContext) }),
    }),

    /** Nothing of an event that only a newer version of the server knows. */
    read: (text: string): { readonly event?: ChatEvent; readonly told?: ProcessEvent } => {
      const stored = v.safeParse(storedEvent, text);
      const { event, told: sealed } = stored.success ? stored.output : {};
      const opened = sealed === undefined ? undefined : box.open(sealed, sealContext);
      const told = v.safeParse(openedEvent, opened);
      return {
        ...(event === undefined ? {} : { event }),
        ...(told.success ? { told: told.output } : {}),
      };
    },
  };
}

const maxWaiting = 10_000;
const rowsPerStatement = 200;
const retryMs = 1000;

/** Stores events one batch after the other, again and again while the database does not answer. */
function createOutgoing(
  log: Dependencies['log'],
  store: (rows: readonly NewEvent[]) => Promise<void>,
) {
  let waiting: NewEvent[] = [];
  let storing: Promise<void> | undefined;
  let mayGiveUp = false;

  async function storeAll(): Promise<void> {
    for (let failures = 0; waiting.length > 0;) {
      const some = waiting.slice(0, rowsPerStatement);
      waiting = waiting.slice(some.length);
      try {
        await store(some);
        failures = 0;
      } catch (error) {
        waiting = [...some, ...waiting].slice(-maxWaiting);
        failures += 1;
        if (failures === 1) {
          log.warn(
            { err: error },
            'could not tell other processes what has happened; trying again',
          );
        }
        if (mayGiveUp) {
          return;
        }
        await sleep(retryMs, undefined, { ref: false });
      }
    }
  }

  return {
    add(row: NewEvent): void {
      waiting.push(row);
      storing ??= storeAll().finally(() => {
        storing = undefined;
      });
    },
    finish: async () => {
      mayGiveUp = true;
      await storing;
    },
  };
}

/** Reads that are wanted at about the same time are one. */
const gatherMs = 10;

/** Reads what was committed since the last read, when it is woken and regularly. */
function createReader(
  { database: { db, notifications }, log }: Pick<Dependencies, 'database' | 'log'>,
  {
    onEvent,
    onMissed,
  }: {
    readonly onEvent: (event: NewEvent & { readonly origin: string }) => void;
    readonly onMissed: () => void;
  },
) {
  const rows = createChatEventRepository(db);
  let position: EventPosition | undefined;
  let last: Promise<void> = Promise.resolve();
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isFailing = false;
  const stopping = new AbortController();

  async function readOnce(): Promise<void> {
    if (position === undefined) {
      position = await rows.readPosition();
      return;
    }
    const { position: reached, events, isIncomplete } = await rows.readAfter(position);
    position = reached;
    if (isIncomplete) {
      onMissed();
    } else if (!stopping.signal.aborted) {
      events.forEach(onEvent);
    }
  }

  /** One read after the other: an earlier one must not set the position of a later one back. */
  function read(): Promise<void> {
    const reading = last.then(readOnce);
    last = reading.catch(() => undefined);
    return reading;
  }

  async function readWhileWanted(): Promise<void> {
    while (isWanted && !stopping.signal.aborted) {
      isWanted = false;
      try {
        await read();
        isFailing = false;
      } catch (error) {
        if (!isFailing) {
          log.warn({ err: error }, 'could not read the events of other processes');
        }
        isFailing = true;
      }
      await sleep(gatherMs, undefined, { ref: false });
    }
    running = undefined;
  }

  function wake(): void {
    isWanted = true;
    running ??= readWhileWanted();
  }

  const stopListening = notifications.listen('chat_events', wake);
  const timer = setInterval(wake, eventRules.readEveryMs).unref();
  wake();

  return {
    wake,
    ready: async (): Promise<void> => (position === undefined ? read() : undefined),
    stop: () => {
      stopping.abort();
      clearInterval(timer);
      stopListening();
    },
  };
}

export type ChatUpgrades = ReturnType<typeof createChatUpgrades>;

/** A group that becomes a supergroup gets another ID. */
export function createChatUpgrades({ database: { db } }: Dependencies, events: ChatEvents) {
  const chats = createChatRepository(db);

  return {
    /** Moves what is stored to the new ID and tells those who follow the chat. May be repeated. */
    async upgrade(oldId: number, newId: number): Promise<void> {
      let publishSaved: () => void = ignore;
      await chats.upgrade(oldId, newId, async (tx) => {
        publishSaved = await events.save(tx, oldId, [{ kind: 'upgraded', chat_id: String(newId) }]);
      });
      publishSaved();
    },
  };
}
