/** Reads and changes of chats, and where they are kept in the cache of server facts. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';

import { settingNames } from '#contract/chats/message-types';
import { readChatHealth } from '#contract/endpoints/chat-activity';
import {
  addChat,
  addTopic,
  type Chat,
  listChats,
  readChat,
  setSetting,
  type Settings,
  verifyChat,
} from '#contract/endpoints/chats';
import { ApiError, call } from '#lib/api';
import { tellOtherTabs } from '#lib/other-tabs';
import { getPlatform } from '#lib/platform';
import { createWriteQueue, type WriteQueue } from '#lib/write-queue';

import { reportFailedWrite } from './failed-writes.ts';

export const chatQueries = {
  all: () => ({ queryKey: ['chats'] as const }),
  list: () =>
    queryOptions({
      queryKey: ['chats', 'list'],
      queryFn: ({ signal }) => call(listChats, {}, signal),
      // 'Back to List' reloads, and so does coming back to the page.
      refetchOnMount: 'always',
      refetchOnWindowFocus: 'always',
    }),
  one: (chatId: string) =>
    queryOptions({
      queryKey: ['chats', 'one', chatId],
      queryFn: async ({ signal, client }) => {
        const keep = settingWrites(client, chatId).beginRead();
        const chat = await call(readChat, { chat_id: chatId }, signal);
        return mapSettings(usable(chat), (topicId, name, read) =>
          keep(keyOfSetting({ topicId, name }), read),
        );
      },
      // Another device may have changed something meanwhile.
      refetchOnWindowFocus: 'always',
    }),
  health: (chatId: string) =>
    queryOptions({
      queryKey: ['chats', 'health', chatId],
      queryFn: ({ signal }) => call(readChatHealth, { chat_id: chatId }, signal),
      // The person may have been in Telegram to give the bot a right.
      refetchOnWindowFocus: 'always',
      retry: 1,
    }),
};

/** Asks for a code for the chat's owner; answers what the server says about it. */
export async function requestCode(chatId: string, signal: AbortSignal): Promise<string> {
  const { message } = await call(addChat, { chat_id: chatId }, signal);
  return message;
}

/** Proves ownership by the owner's code, fetches the settings, and answers the chat's present id. */
export async function proveOwnership(
  client: QueryClient,
  { chatId, code }: { readonly chatId: string; readonly code: string },
  signal: AbortSignal,
): Promise<string> {
  const { chat } = await call(verifyChat, { chat_id: chatId, otp: code }, signal);
  tellOtherTabs('chats');
  await client.invalidateQueries(chatQueries.list());
  if (chat) {
    client.setQueryData(chatQueries.one(chat.chat_id).queryKey, usable(chat));
    return chat.chat_id;
  }
  // Backends that answer nothing leave the reading to us; a failure shows itself in the next step.
  await client.prefetchQuery({ ...chatQueries.one(chatId), staleTime: 0 });
  return chatId;
}

/** Adds a topic with everything allowed. */
export async function createTopic(
  client: QueryClient,
  { chatId, topicId }: { readonly chatId: string; readonly topicId: string },
  signal: AbortSignal,
): Promise<void> {
  await call(addTopic, { chat_id: chatId, topic_id: topicId }, signal);
  tellOtherTabs('chats');
  await client.invalidateQueries(chatQueries.one(chatId));
}

/** Reads the settings again, without repeated tries: somebody is waiting. */
export async function refreshChat(client: QueryClient, chatId: string): Promise<void> {
  // It tells of its own failures.
  void client.invalidateQueries(chatQueries.health(chatId));
  await client.fetchQuery({ ...chatQueries.one(chatId), staleTime: 0, retry: false });
}

/** Whether the failure says that the person does not (or no longer) manage the chat. */
export function isNotManaged(error: unknown): boolean {
  const codes = ['chat_not_verified', 'chat_not_found', 'http_403', 'http_404'];
  return error instanceof ApiError && codes.includes(error.code);
}

type SettingId = { readonly topicId: string; readonly name: string };

export function keyOfSetting({ topicId, name }: SettingId): string {
  return `${topicId}/${name}`;
}

/** Topic ids are numbers: whatever follows the first slash is the name. */
export function settingOfKey(key: string): SettingId {
  const slash = key.indexOf('/');
  return { topicId: key.slice(0, slash), name: key.slice(slash + 1) };
}

const queues = new WeakMap<QueryClient, Map<string, WriteQueue<boolean>>>();

/** The writes to a chat's settings; they go on when the screen is left. */
export function settingWrites(client: QueryClient, chatId: string): WriteQueue<boolean> {
  const ofClient = queues.get(client) ?? new Map<string, WriteQueue<boolean>>();
  queues.set(client, ofClient);
  const queue = ofClient.get(chatId) ?? createSettingQueue(client, chatId);
  ofClient.set(chatId, queue);
  return queue;
}

/** Blocks or allows something; see `WriteQueue.choose`. */
export function chooseSetting(
  client: QueryClient,
  { chatId, isBlocked, ...setting }: SettingId & { chatId: string; isBlocked: boolean },
): void {
  getPlatform().haptic('light');
  settingWrites(client, chatId).choose(keyOfSetting(setting), isBlocked);
}

/** What to show for a topic's settings, as one '1' (blocked) or '0' each: what is wished, else what the server has. */
export function shownSettings(
  client: QueryClient,
  topic: { readonly chatId: string; readonly topicId: string; readonly names: readonly string[] },
): string {
  const { chatId, topicId, names } = topic;
  const { getPending } = settingWrites(client, chatId);
  const settings = client.getQueryData(chatQueries.one(chatId).queryKey)?.topics[topicId];
  const isBlocked = (name: string) =>
    getPending(keyOfSetting({ topicId, name })) ?? settings?.[name] ?? false;
  return names.map((name) => (isBlocked(name) ? '1' : '0')).join('');
}

function createSettingQueue(client: QueryClient, chatId: string): WriteQueue<boolean> {
  return createWriteQueue<boolean>({
    write: async (key, value) => {
      const { topicId, name } = settingOfKey(key);
      await call(setSetting, { chat_id: chatId, topic_id: topicId, setting_name: name, value });
    },
    onConfirmed: (key, value) => {
      tellOtherTabs('chats');
      client.setQueryData(
        chatQueries.one(chatId).queryKey,
        (chat) => chat && withSettings(chat, new Map([[key, value]])),
      );
    },
    onFailed: (_key, error) => {
      reportFailedWrite({ chatId, error, isLost: isNotManaged(error) });
      // The server may have taken the value although its answer got lost.
      void client.invalidateQueries(chatQueries.one(chatId));
    },
  });
}

/** A chat without topics has its General topic, with everything allowed. */
function usable(chat: Chat): Chat {
  if (Object.keys(chat.topics).length > 0) {
    return chat;
  }
  return {
    ...chat,
    topics: { '0': Object.fromEntries(settingNames.map((name) => [name, false])) },
  };
}

/** The chat with these values, by `keyOfSetting`; topics without any keep their identity. */
export function withSettings(chat: Chat, values: ReadonlyMap<string, boolean>): Chat {
  const changed = new Map<string, Settings>();
  for (const [key, value] of values) {
    const { topicId, name } = settingOfKey(key);
    const settings = changed.get(topicId) ?? { ...chat.topics[topicId] };
    settings[name] = value;
    changed.set(topicId, settings);
  }
  return { ...chat, topics: { ...chat.topics, ...Object.fromEntries(changed) } };
}

/** The chat with each setting mapped; whatever stays as it is keeps its identity. */
function mapSettings(
  chat: Chat,
  valueOf: (topicId: string, name: string, now: boolean) => boolean,
): Chat {
  const topics = Object.entries(chat.topics).map(([topicId, settings]) => {
    const entries = Object.entries(settings);
    const mapped = entries.map(([name, now]) => [name, valueOf(topicId, name, now)] as const);
    const isSame = mapped.every(([, value], index) => value === entries[index]?.[1]);
    return [topicId, isSame ? settings : Object.fromEntries(mapped)] as const;
  });
  return { ...chat, topics: Object.fromEntries(topics) };
}
