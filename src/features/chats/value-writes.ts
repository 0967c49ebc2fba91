/** The values of a chat: which are shown, and the queue that writes what the user chooses. */
import {
  type QueryClient,
  queryOptions,
  skipToken,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';

import { type ContentBody } from '#contract/chats/contents';
import { wholeChat } from '#contract/chats/values';
import { type Change } from '#contract/endpoints/chat-changes';
import { changeValues, readValues, type StoredValues } from '#contract/endpoints/chat-values';
import { call } from '#lib/api';
import { readOrLastSeen } from '#lib/offline';
import { tellOtherTabs } from '#lib/other-tabs';
import { createWriteQueue, type WriteQueue } from '#lib/write-queue';

import { readAgainWhenWritten } from './contested.ts';
import { reportFailedWrite } from './failed-writes.ts';
import { chatQueries, partKey, valuesKey } from './queries.ts';
import { watchWaiting } from './waiting.ts';

/** `place` is `chat`, or a topic by its number. */
type ValueId = { readonly place: string; readonly name: string };

/** The key of a value in the write queue. */
export function valueKey({ place, name }: ValueId): string {
  return `${place}/${name}`;
}

/** Places have no slash: all that follows the first one is the name. */
function parseValueKey(key: string): ValueId {
  const slash = key.indexOf('/');
  return { place: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** Values by their keys in the write queue. */
export function toKeyed(values: StoredValues): Map<string, unknown> {
  return new Map(
    Object.entries(values).flatMap(([place, named]) =>
      Object.entries(named).map(([name, value]) => [valueKey({ place, name }), value] as const),
    ),
  );
}

/** The stored values with others in their place; null removes one. */
function withKeyed(stored: StoredValues, keyed: ReadonlyMap<string, unknown>): StoredValues {
  const places = new Map(
    Object.entries(stored).map(([place, named]) => [place, new Map(Object.entries(named))]),
  );
  for (const [key, value] of keyed) {
    const { place, name } = parseValueKey(key);
    const named = places.get(place) ?? new Map<string, unknown>();
    places.set(place, named);
    named.delete(name);
    if (value !== null) {
      named.set(name, value);
    }
  }
  return Object.fromEntries(
    [...places].map(([place, named]) => [place, Object.fromEntries(named)]),
  );
}

export const valueQuery = (chatId: string) =>
  queryOptions({
    queryKey: partKey('values', chatId),
    queryFn: async ({ signal, client }) => {
      const keep = valueWrites(client, chatId).beginRead();
      const seen = { key: valuesKey(chatId), schema: readValues.output };
      const { values, contents } = await readOrLastSeen(seen, () =>
        call(readValues, { chat_id: chatId }, signal),
      );
      cacheContents(client, chatId, contents);
      const read = toKeyed(values);
      // The answer leaves out what was set since the read began.
      const known = toKeyed(client.getQueryData<StoredValues>(partKey('values', chatId)) ?? {});
      const keys = [...new Set([...read.keys(), ...known.keys()])];
      return withKeyed({}, new Map(keys.map((key) => [key, keep(key, read.get(key) ?? null)])));
    },
    // Commands and other devices may have changed something meanwhile.
    refetchOnWindowFocus: 'always',
  });

const contentsKey = (chatId: string) => ['chats', 'contents', chatId] as const;

type Contents = Readonly<Record<string, ContentBody>>;
const noContents: Contents = {};

/** Adds contents by their IDs. A content never changes. */
export function cacheContents(client: QueryClient, chatId: string, contents: Contents): void {
  client.setQueryData<Contents>(contentsKey(chatId), (known) => ({ ...known, ...contents }));
}

/** The contents of a chat that are known, by their IDs. */
export function readContents(client: QueryClient, chatId: string): Contents {
  return client.getQueryData<Contents>(contentsKey(chatId)) ?? noContents;
}

/** The contents of a chat by their IDs. Where one of `ids` is not known yet, the values are read again. */
export function useContents(chatId: string, ids: readonly string[]): Contents {
  const client = useQueryClient();
  const { data: contents = noContents } = useQuery<Contents>({
    queryKey: contentsKey(chatId),
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const missing = ids.filter((id) => contents[id] === undefined).join(' ');
  useEffect(() => {
    if (missing !== '') {
      void client.invalidateQueries({ queryKey: partKey('values', chatId) });
    }
  }, [client, chatId, missing]);
  return contents;
}

/** What the server has recorded of the choices of a value that one undo takes back. */
type Saved = {
  readonly changes: Change[];
  readonly onSaved: ((changes: readonly Change[]) => void) | undefined;
};

type Store = {
  readonly writes: WriteQueue<unknown>;
  /** By the key of the value. */
  readonly saved: Map<string, Saved>;
};

const stores = new WeakMap<QueryClient, Map<string, Store>>();

function getStore(client: QueryClient, chatId: string): Store {
  const byChat = stores.get(client) ?? new Map<string, Store>();
  stores.set(client, byChat);
  const store = byChat.get(chatId) ?? createStore(client, chatId);
  byChat.set(chatId, store);
  return store;
}

/** The queue of writes to a chat's values. It goes on when the user leaves the screen. */
export function valueWrites(client: QueryClient, chatId: string): WriteQueue<unknown> {
  return getStore(client, chatId).writes;
}

function createStore(client: QueryClient, chatId: string): Store {
  const saved = new Map<string, Saved>();
  const writes = createWriteQueue<unknown>({
    write: async (key, value) => {
      const { place, name } = parseValueKey(key);
      const values = { [place]: { [name]: value } };
      const { change } = await call(changeValues, { chat_id: chatId, kind: 'values', values });
      if (change) {
        saved.get(key)?.changes.push(change);
      }
    },
    onConfirmed: (key, value) => {
      cacheValues(client, chatId, new Map([[key, value]]));
      const { changes, onSaved } = saved.get(key) ?? { changes: [] };
      // Otherwise a later choice is sent next.
      if (writes.getPending(key) === value) {
        onSaved?.(changes);
      }
    },
    onFailed: (key, error) => {
      saved.delete(key);
      if (!reportWaiting(key, error)) {
        reportFailedWrite(chatId, error);
      }
      // The server may have stored the value although its answer got lost.
      void client.invalidateQueries({ queryKey: partKey('values', chatId) });
    },
  });
  const reportWaiting = watchWaiting(writes, { chatId, kind: 'values' }, writes.choose);
  return { writes, saved };
}

type ChooseOptions = ValueId & {
  /** Null removes what is stored, so that the default counts. */
  readonly value: unknown;
  /** Whether one undo takes back the earlier choices of this value, too. */
  readonly isContinued: boolean;
  /** Called with the changes that an undo takes back, the oldest first, when the server has the last choice. */
  readonly onSaved: Saved['onSaved'];
};

/** Shows the value at once and writes it by the queue. */
export function chooseValue(
  client: QueryClient,
  chatId: string,
  { value, isContinued, onSaved, ...id }: ChooseOptions,
): void {
  const { writes, saved } = getStore(client, chatId);
  const key = valueKey(id);
  const isOpen = isContinued || writes.getPending(key) !== undefined;
  const changes = isOpen ? (saved.get(key)?.changes ?? []) : [];
  saved.set(key, { changes, onSaved });
  writes.choose(key, value);
}

/** Writes confirmed values into the cache, and tells the other tabs. Keys are those of `valueKey`. */
function cacheValues(
  client: QueryClient,
  chatId: string,
  values: ReadonlyMap<string, unknown>,
): void {
  tellOtherTabs('chats');
  client.setQueryData<StoredValues>(
    partKey('values', chatId),
    (stored) => stored && withKeyed(stored, values),
  );
  // An open history has one more entry.
  void client.invalidateQueries(chatQueries.changes(chatId));
}

/** The value that is shown: the pending one, else the cached one; null without one. */
export function readShown(client: QueryClient, chatId: string, id: ValueId): unknown {
  const pending = valueWrites(client, chatId).getPending(valueKey(id));
  const stored = client.getQueryData<StoredValues>(partKey('values', chatId));
  return (pending === undefined ? stored?.[id.place]?.[id.name] : pending) ?? null;
}

type ShownOptions = {
  readonly chatId: string;
  readonly place?: string;
  readonly names: readonly string[];
};

/** The named values of a place as they are shown. For parts of a screen that has read `valueQuery`. */
export function useShownValues({
  chatId,
  place = wholeChat,
  names,
}: ShownOptions): Readonly<Record<string, unknown>> {
  const client = useQueryClient();
  // Read from the cache and not from props, so that a confirmed value never flickers back.
  const read = () =>
    Object.fromEntries(names.map((name) => [name, readShown(client, chatId, { place, name })]));
  // A string, because a snapshot must be equal as long as nothing has changed.
  useSyncExternalStore(valueWrites(client, chatId).subscribe, () => JSON.stringify(read()));
  return read();
}

/** All values of the chat as they are shown. For parts of a screen that has read `valueQuery`. */
export function useAllShown(chatId: string): StoredValues {
  const client = useQueryClient();
  const { data: stored } = useQuery({ ...valueQuery(chatId), enabled: false });
  const { subscribe, listPending } = valueWrites(client, chatId);
  const pending = useSyncExternalStore(subscribe, listPending);
  // The cache knows a confirmed value before this part does.
  const newest = client.getQueryData<StoredValues>(partKey('values', chatId)) ?? stored;
  return useMemo(() => withKeyed(newest ?? {}, pending), [newest, pending]);
}

type ManyValues = {
  readonly keyed: ReadonlyMap<string, unknown>;
  /** Sends them; resolves to the values that the server has now. */
  readonly write: () => Promise<ReadonlyMap<string, unknown>>;
};

/** Shows many values at once, and sends them after the writes of these values that are in flight. */
export async function writeMany(
  client: QueryClient,
  chatId: string,
  { keyed, write }: ManyValues,
): Promise<void> {
  try {
    await valueWrites(client, chatId).chooseAll(keyed, {
      write,
      onConfirmed: (confirmed) => cacheValues(client, chatId, confirmed),
    });
  } catch (error) {
    // The server may have stored the values although its answer got lost.
    void client.invalidateQueries({ queryKey: partKey('values', chatId) });
    throw error;
  }
}

/** What a user has set: `chat` or a topic → name → value, null where none is stored any more. */
type ValuesEvent = {
  readonly values: StoredValues;
  /** Whether this user has changed them, here or on another device. */
  readonly isOwn: boolean;
};

/** Applies an event of the server: others' changes are shown, and pending values stay. */
export function applyValuesEvent(
  client: QueryClient,
  chatId: string,
  { values, isOwn }: ValuesEvent,
): void {
  const queryKey = partKey('values', chatId);
  const readAgain = () => void client.invalidateQueries({ queryKey });
  const keyed = toKeyed(values);

  if (isOwn) {
    // This page's own changes come back, maybe late. Other values were set on another device.
    const isKnown = Object.entries(values).every(([place, named]) =>
      Object.entries(named).every(([name, value]) =>
        isSame(readShown(client, chatId, { place, name }), value),
      ),
    );
    if (!isKnown) {
      readAgain();
    }
    return;
  }

  const isReading = client.isFetching({ queryKey, exact: true }) > 0;
  client.setQueryData<StoredValues>(queryKey, (stored) => stored && withKeyed(stored, keyed));
  if (isReading) {
    // The read in flight may be older than the event.
    readAgain();
  }
  readAgainWhenWritten(valueWrites(client, chatId), [...keyed.keys()], readAgain);
}

/** Whether two values are the same, whatever the order of their fields. */
export function isSame(one: unknown, other: unknown): boolean {
  return toOrdered(one) === toOrdered(other);
}

function toOrdered(value: unknown): string {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return JSON.stringify(
    isRecord ? Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)) : value,
  );
}
