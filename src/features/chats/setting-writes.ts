/** The settings of a chat: which are shown as blocked, and the queue that writes what the user chooses. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

import { type Chat, setSetting, type Settings } from '#contract/endpoints/chats';
import { call } from '#lib/api';
import { tellOtherTabs } from '#lib/other-tabs';
import { getPlatform } from '#lib/platform';
import { createWriteQueue, type WriteQueue } from '#lib/write-queue';

import { reportFailedWrite } from './failed-writes.ts';
import { watchWaiting } from './waiting.ts';

type SettingId = { readonly topicId: string; readonly name: string };

/** The key of a chat in the query cache. */
export const chatKey = (chatId: string) => ['chats', 'one', chatId] as const;

/** The key of a setting in the write queue. */
export function settingKey({ topicId, name }: SettingId): string {
  return `${topicId}/${name}`;
}

/** Topic IDs are numbers: all that follows the first slash is the name. */
function parseSettingKey(key: string): SettingId {
  const slash = key.indexOf('/');
  return { topicId: key.slice(0, slash), name: key.slice(slash + 1) };
}

const queues = new WeakMap<QueryClient, Map<string, WriteQueue<boolean>>>();

/** The queue of writes to a chat's settings. It goes on when the user leaves the screen. */
export function settingWrites(client: QueryClient, chatId: string): WriteQueue<boolean> {
  const byChat = queues.get(client) ?? new Map<string, WriteQueue<boolean>>();
  queues.set(client, byChat);
  const queue = byChat.get(chatId) ?? createSettingQueue(client, chatId);
  byChat.set(chatId, queue);
  return queue;
}

function createSettingQueue(client: QueryClient, chatId: string): WriteQueue<boolean> {
  const writes = createWriteQueue<boolean>({
    write: async (key, value) => {
      const { topicId, name } = parseSettingKey(key);
      await call(setSetting, { chat_id: chatId, topic_id: topicId, setting_name: name, value });
    },
    onConfirmed: (key, value) => cacheSettings(client, chatId, new Map([[key, value]])),
    onFailed: (key, error) => {
      if (!reportWaiting(key, error)) {
        reportFailedWrite(chatId, error);
      }
      // The server may have stored the value although its answer got lost.
      void client.invalidateQueries({ queryKey: chatKey(chatId) });
    },
  });
  const reportWaiting = watchWaiting(writes, { chatId, kind: 'settings' }, (key, value) =>
    writes.choose(key, value === true),
  );
  return writes;
}

/** Writes confirmed values into the cache, and tells the other tabs. Keys are those of `settingKey`. */
export function cacheSettings(
  client: QueryClient,
  chatId: string,
  values: ReadonlyMap<string, boolean>,
): void {
  tellOtherTabs('chats');
  const queryKey = chatKey(chatId);
  // A confirmed setting says nothing of the others: what is last known stays so until the server has sent all.
  const isLastKnown = client.getQueryState(queryKey)?.dataUpdatedAt === 0;
  const options = isLastKnown ? { updatedAt: 0 } : {};
  const add = (chat: Chat | undefined) => {
    // Topics without a change keep their identity.
    const changed = new Map<string, Settings>();
    for (const [key, value] of values) {
      const { topicId, name } = parseSettingKey(key);
      const settings = changed.get(topicId) ?? { ...chat?.topics[topicId] };
      settings[name] = value;
      changed.set(topicId, settings);
    }
    return chat && { ...chat, topics: { ...chat.topics, ...Object.fromEntries(changed) } };
  };
  client.setQueryData<Chat>(queryKey, add, options);
}

/** Returns a function that blocks or allows a message type: shown at once, then written by the queue. */
export function useChooseSetting(setting: SettingId & { readonly chatId: string }) {
  const client = useQueryClient();
  return (isBlocked: boolean): void => {
    getPlatform().haptic('light');
    settingWrites(client, setting.chatId).choose(settingKey(setting), isBlocked);
  };
}

/** Returns a reader of the values that are shown: the pending value, else the cached one. */
export function createSettingReader(client: QueryClient, chatId: string) {
  const { getPending } = settingWrites(client, chatId);
  const topics = client.getQueryData<Chat>(chatKey(chatId))?.topics;
  return (setting: SettingId): boolean | undefined =>
    getPending(settingKey(setting)) ?? topics?.[setting.topicId]?.[setting.name];
}

/** The names among `names` that are shown as blocked. One subscription per topic keeps hundreds of topics fast. */
export function useBlocked(
  chatId: string,
  topicId: string,
  names: readonly string[],
): ReadonlySet<string> {
  const client = useQueryClient();
  // Read from the cache and not from props, so that a confirmed value never flickers back.
  const shown = useSyncExternalStore(settingWrites(client, chatId).subscribe, () => {
    const read = createSettingReader(client, chatId);
    // A string, because a snapshot must be equal as long as nothing has changed.
    return names.map((name) => (read({ topicId, name }) === true ? '1' : '0')).join('');
  });
  return new Set(names.filter((_name, index) => shown[index] === '1'));
}
