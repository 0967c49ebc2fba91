/** Reads and changes of chats, and what keeps the reads fresh. */
import {
  infiniteQueryOptions,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';

import { moreSettingNames, settingNames } from '#contract/chats/message-types';
import { readChatHealth, readDeletions } from '#contract/endpoints/chat-activity';
import { listChanges } from '#contract/endpoints/chat-changes';
import {
  addChat,
  addTopic,
  type Chat,
  claimChat,
  listChats,
  readChat,
  verifyChat,
} from '#contract/endpoints/chats';
import { call } from '#lib/api';
import { readOrLastSeen } from '#lib/offline';
import { onOtherTabs, tellOtherTabs } from '#lib/other-tabs';

import { chatKey, settingKey, settingWrites } from './setting-writes.ts';

const deletionsEveryMs = 60_000;

/** What only some tabs of a chat's settings read. Their queries are in the chunks of these tabs. */
const chatParts = ['values', 'actions', 'warnings', 'approvals', 'joins'] as const;
export type ChatPart = (typeof chatParts)[number];

/** The key of such a part in the query cache. */
export const partKey = (part: ChatPart, chatId: string) => ['chats', part, chatId] as const;

/** The keys of what the device stores of the server's answers. */
export const listKey = 'chats';
export const changesKey = (chatId: string) => `changes ${chatId}`;
export const valuesKey = (chatId: string) => `values ${chatId}`;

export const chatQueries = {
  all: () => ({ queryKey: ['chats'] as const }),
  list: () =>
    queryOptions({
      queryKey: ['chats', 'list'],
      queryFn: ({ signal }) =>
        readOrLastSeen({ key: listKey, schema: listChats.output }, () =>
          call(listChats, {}, signal),
        ),
      // 'Back to List' reloads, and so does returning to the page.
      refetchOnMount: 'always',
      refetchOnWindowFocus: 'always',
    }),
  one: (chatId: string) =>
    queryOptions({
      queryKey: chatKey(chatId),
      queryFn: async ({ signal, client }) => {
        const keep = settingWrites(client, chatId).beginRead();
        const chat = await call(readChat, { chat_id: chatId }, signal);
        return mapSettings(withGeneral(chat), (topicId, name, read) =>
          keep(settingKey({ topicId, name }), read),
        );
      },
      // Another device may have changed something meanwhile.
      refetchOnWindowFocus: 'always',
    }),
  health: (chatId: string) =>
    queryOptions({
      queryKey: ['chats', 'health', chatId],
      queryFn: ({ signal }) => call(readChatHealth, { chat_id: chatId }, signal),
      // The user may have been in Telegram to give the bot a right.
      refetchOnWindowFocus: 'always',
      retry: 1,
    }),
  deletions: (chatId: string) =>
    queryOptions({
      queryKey: ['chats', 'deletions', chatId],
      queryFn: ({ signal }) => call(readDeletions, { chat_id: chatId }, signal),
      refetchInterval: deletionsEveryMs,
      refetchOnWindowFocus: 'always',
    }),
  /** Page by page, the newest change first. */
  changes: (chatId: string) =>
    infiniteQueryOptions({
      queryKey: ['chats', 'changes', chatId],
      queryFn: ({ pageParam, signal }) =>
        pageParam === ''
          ? readOrLastSeen({ key: changesKey(chatId), schema: listChanges.output }, () =>
              call(listChanges, { chat_id: chatId }, signal),
            )
          : call(listChanges, { chat_id: chatId, before: pageParam }, signal),
      initialPageParam: '',
      getNextPageParam: ({ changes, has_more }) =>
        has_more ? changes.at(-1)?.change_id : undefined,
      refetchOnMount: 'always',
      refetchOnWindowFocus: 'always',
    }),
};

/**
 * Reads again what begins with the key, as it may be older than what the server tells now. A first read that is under way is
 * waited for: the query client would join it instead of beginning another one.
 */
export async function readAgain(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await untilReadOnce(client, queryKey);
  await client.invalidateQueries({ queryKey });
}

/** Resolves when no query that begins with the key is read for the first time. */
function untilReadOnce(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const cache = client.getQueryCache();
  const isFirst = () =>
    cache
      .findAll({ queryKey, fetchStatus: 'fetching' })
      .some(({ state }) => state.data === undefined);
  return isFirst()
    ? new Promise((resolve) => {
        const stop = cache.subscribe(() => {
          if (!isFirst()) {
            stop();
            resolve();
          }
        });
      })
    : Promise.resolve();
}

/** Begins to read what the dashboard shows first. */
export function readAhead(client: QueryClient, search: URLSearchParams): Promise<void> {
  const chatId = search.get('chat');
  return chatId === null
    ? client.prefetchQuery(chatQueries.list())
    : client.prefetchQuery(chatQueries.one(chatId));
}

/** Refetches when the window gains the focus, also when it was only behind another window. */
export function useRefetchOnFocus(
  refetch: (options: { readonly cancelRefetch: boolean }) => Promise<unknown>,
): void {
  const refetchNow = useEffectEvent(() => void refetch({ cancelRefetch: false }));
  useEffect(() => {
    const listen = () => refetchNow();
    window.addEventListener('focus', listen);
    return () => window.removeEventListener('focus', listen);
  }, []);
}

/** Changes of other tabs that arrive within this time cause one read. */
const gatherMs = 300;

/** Reads again what another tab of this browser has changed, also when both are visible. */
export function useRefetchOnOtherTabs(): void {
  const client = useQueryClient();

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onOtherTabs((subject) => {
      if (subject !== 'chats') {
        return;
      }
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries(chatQueries.all());
      }, gatherMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client]);
}

/** Has a code sent to the chat's owner. Returns the server's message about it, which may be empty. */
export async function requestCode(chatId: string, signal: AbortSignal): Promise<string> {
  const { message, translated = message } = await call(addChat, { chat_id: chatId }, signal);
  return translated;
}

/** Verifies a chat by its owner's code and caches its settings. Returns the chat's current ID. */
export async function verifyWithCode(
  client: QueryClient,
  { chatId, code }: { readonly chatId: string; readonly code: string },
  signal: AbortSignal,
): Promise<string> {
  const { chat } = await call(verifyChat, { chat_id: chatId, otp: code }, signal);
  if (chat) {
    return cacheVerified(client, chat);
  }
  tellOtherTabs('chats');
  await client.invalidateQueries(chatQueries.list());
  // Some backends return no chat, so it is read here; the next screen shows an error of this read.
  await client.prefetchQuery({ ...chatQueries.one(chatId), staleTime: 0 });
  return chatId;
}

/** Verifies a chat of the user's own by launch data and caches its settings. Returns the chat's current ID. */
export async function verifyWithLaunch(
  client: QueryClient,
  { chatId, initData }: { readonly chatId: string; readonly initData: string },
  signal: AbortSignal,
): Promise<string> {
  const { chat } = await call(claimChat, { chat_id: chatId, init_data: initData }, signal);
  return cacheVerified(client, chat);
}

async function cacheVerified(client: QueryClient, chat: Chat): Promise<string> {
  tellOtherTabs('chats');
  await client.invalidateQueries(chatQueries.list());
  client.setQueryData(chatQueries.one(chat.chat_id).queryKey, withGeneral(chat));
  return chat.chat_id;
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

/** Reads the settings again, without retries, because the user waits. */
export async function refreshChat(client: QueryClient, chatId: string): Promise<void> {
  // The health strip and the tabs show errors of these reads themselves.
  void client.invalidateQueries(chatQueries.health(chatId));
  for (const part of chatParts) {
    void client.invalidateQueries({ queryKey: partKey(part, chatId) });
  }
  await client.fetchQuery({ ...chatQueries.one(chatId), staleTime: 0, retry: false });
}

/** A chat without topics gets its General topic, with everything allowed. */
function withGeneral(chat: Chat): Chat {
  if (Object.keys(chat.topics).length > 0) {
    return chat;
  }
  return {
    ...chat,
    topics: { '0': Object.fromEntries(settingNames.map((name) => [name, false])) },
  };
}

/**
 * The chat with each setting mapped, also those that the server leaves out while they are allowed. Topics
 * in which nothing changes keep their identity.
 */
export function mapSettings(
  chat: Chat,
  map: (topicId: string, name: string, value: boolean) => boolean,
): Chat {
  const topics = Object.entries(chat.topics).map(([topicId, settings]) => {
    const changed = [...new Set([...Object.keys(settings), ...moreSettingNames])]
      .map((name) => [name, map(topicId, name, settings[name] ?? false)] as const)
      .filter(([name, value]) => value !== (settings[name] ?? false));
    return [
      topicId,
      changed.length === 0 ? settings : { ...settings, ...Object.fromEntries(changed) },
    ] as const;
  });
  return { ...chat, topics: Object.fromEntries(topics) };
}
