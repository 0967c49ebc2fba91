/**
 * A chat that is open in the dashboard: kept fresh, and left or followed when access or ID change. The device stores the
 * settings that were known last: a chat that is opened again is shown at once, and the server's answer replaces it.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { chatActivity } from '#contract/endpoints/chat-activity';
import { type Chat, type Settings } from '#contract/endpoints/chats';
import { chatId as chatIdSchema } from '#contract/endpoints/endpoint';
import { errorText } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { type ChatSection, dashboardPaths } from '#lib/paths';
import { getSession } from '#lib/session';
import { storedValue } from '#lib/storage';

import {
  isNotManaged,
  isReadRefused,
  showFailure,
  showInfo,
  useLostChat,
} from './failed-writes.ts';
import { chatTitle } from './names.ts';
import { chatQueries, useRefetchOnFocus, useRefetchOnOtherTabs } from './queries.ts';
import { chatTexts } from './texts.ts';

const texts = chatTexts.settings;

/** What of a chat is open. */
type OpenPlace = { readonly topicId?: string | undefined; readonly section?: ChatSection };

/**
 * Reads a chat and keeps it fresh. `refusal` is the server's reason when it has refused the read, maybe empty.
 * Until the server has answered, the chat is as this device knew it last.
 */
export function useManagedChat(chatId: string, place: OpenPlace = {}) {
  const query = useQuery({
    ...chatQueries.one(chatId),
    initialData: () => readLastKnown(chatId),
    // Marks it as older than any answer; see `isLastKnown` below and `cacheSettings`.
    initialDataUpdatedAt: 0,
  });
  const chat = query.data;
  const isLastKnown = chat !== undefined && query.dataUpdatedAt === 0;
  const { error } = query;
  const refusal = isReadRefused(error) ? errorText(error, '') : undefined;

  useRefetchOnOtherTabs();
  useRefetchOnFocus(query.refetch);
  useLeaveWhenAccessLost(chat, { chatId, error });
  useFollowUpgrade(chat, { chatId, ...place });
  useLiveChat(chatId, {
    isEnabled: chat?.chat_id === chatId && refusal === undefined && !isLastKnown,
  });
  useSaveLastKnown(isLastKnown || refusal !== undefined ? undefined : chat);
  return { ...query, refusal, isLastKnown };
}

/** Changes within this time are stored once. */
const saveAfterMs = 500;

function useSaveLastKnown(chat: Chat | undefined): void {
  useEffect(() => {
    const timer = chat && setTimeout(() => saveLastKnown(chat), saveAfterMs);
    return () => clearTimeout(timer);
  }, [chat]);
}

/** Leaves a chat that the user turned out to manage no longer. */
function useLeaveWhenAccessLost(
  chat: Chat | undefined,
  { chatId, error }: { readonly chatId: string; readonly error: unknown },
): void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const wasWriteRefused = useLostChat((lost) => lost.chatId === chatId);
  const isLost = chat !== undefined && (isReadRefused(error) || wasWriteRefused);

  const leave = useEffectEvent(() => {
    if (chat) {
      forgetLastKnown(chatId);
      // The reason of our own server would only repeat this sentence.
      const reason = isNotManaged(error) ? '' : errorText(error, '');
      showFailure('chat-lost', `${texts.lost(chatTitle(chat))} ${reason}`.trim());
      void navigate(dashboardPaths.list, { replace: true });
    }
  });
  const forget = useEffectEvent(() => {
    useLostChat.setState({ chatId: undefined });
    client.removeQueries(chatQueries.one(chatId));
  });
  useEffect(() => {
    if (!isLost) {
      return undefined;
    }
    leave();
    // Only after the screen has unmounted: until then it would read the chat again.
    return () => forget();
  }, [isLost]);
}

/** Goes to the chat's new address when the group has become a supergroup with another ID. */
function useFollowUpgrade(
  chat: Chat | undefined,
  { chatId, topicId, section = 'locks' }: OpenPlace & { readonly chatId: string },
): void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const currentId = chat?.chat_id ?? chatId;

  const follow = useEffectEvent(() => {
    if (chat) {
      forgetLastKnown(chatId);
      client.setQueryData(chatQueries.one(currentId).queryKey, chat);
      showInfo('chat-upgraded', texts.upgraded);
      void navigate(dashboardPaths.section(currentId, section, topicId), { replace: true });
    }
  });
  useEffect(() => {
    if (currentId !== chatId) {
      follow();
    }
  }, [currentId, chatId]);
}

/** Follows the server's events of the chat, where the server has them. */
function useLiveChat(chatId: string, { isEnabled }: { readonly isEnabled: boolean }): void {
  const client = useQueryClient();
  const isOffered = useCapabilities().has(chatActivity) === true;

  useEffect(() => {
    if (!isOffered || !isEnabled) {
      return undefined;
    }
    let isStopped = false;
    let stop: (() => void) | undefined;
    const start = async () => {
      const { followLiveChat } = await import('./live-chat.ts');
      stop = isStopped ? undefined : followLiveChat(client, chatId);
    };
    // Without the events the page works, too.
    start().catch(() => undefined);
    return () => {
      isStopped = true;
      stop?.();
    };
  }, [client, chatId, isOffered, isEnabled]);
}

const maxChats = 5;
/** In characters, so that the other features find room on the device. */
const maxLength = 200_000;

/** A topic's settings as one character for each of the chat's names, as a chat may have hundreds of topics. */
const marks = { blocked: '1', allowed: '0', absent: '-' } as const;

const knownChat = v.object({
  chat_id: chatIdSchema,
  chat_name: v.string(),
  is_demo: v.boolean(),
  topic_names: v.record(v.string(), v.string()),
  /** The names of all settings. */
  names: v.array(v.string()),
  topics: v.record(v.pipe(v.string(), v.regex(/^\d+$/)), v.pipe(v.string(), v.regex(/^[01-]*$/))),
});
type KnownChat = v.InferOutput<typeof knownChat>;

/** Whose they are, and the chats, the last opened first. */
const stored = storedValue(
  'nori_last_known_chats',
  v.object({ user: v.string(), chats: v.pipe(v.array(knownChat), v.maxLength(maxChats)) }),
);

/** The logged-in user, if the device knows who it is. */
function getUser(): string | undefined {
  const session = getSession();
  return session.status === 'member' ? session.telegramId : undefined;
}

function readAll(): readonly KnownChat[] {
  const user = getUser();
  const value = user === undefined ? undefined : stored.read();
  return value?.user === user ? (value?.chats ?? []) : [];
}

function writeAll(chats: readonly KnownChat[]): void {
  const user = getUser();
  if (user === undefined) {
    return;
  }
  const kept = chats.slice(0, maxChats);
  while (JSON.stringify(kept).length > maxLength) {
    kept.pop();
  }
  stored.write(kept.length === 0 ? undefined : { user, chats: kept });
}

/** What the device knows of the user's chat; undefined when it knows nothing. */
function readLastKnown(id: string): Chat | undefined {
  const known = readAll().find(({ chat_id }) => chat_id === id);
  return known && toChat(known);
}

/** Stores the settings that the server has sent or confirmed. The chats that were opened longest ago make room. */
function saveLastKnown(chat: Chat): void {
  writeAll([pack(chat), ...readAll().filter(({ chat_id }) => chat_id !== chat.chat_id)]);
}

/** Removes a chat that the user does not manage any more, or that has another ID now. */
function forgetLastKnown(id: string): void {
  const chats = readAll();
  const others = chats.filter(({ chat_id }) => chat_id !== id);
  if (others.length < chats.length) {
    writeAll(others);
  }
}

function pack({ chat_id, chat_name, is_demo, topic_names, topics }: Chat): KnownChat {
  const names = [...new Set(Object.values(topics).flatMap((settings) => Object.keys(settings)))];
  const packed = Object.entries(topics).map(([id, settings]) => [
    id,
    names.map((name) => toMark(settings[name])).join(''),
  ]);
  return { chat_id, chat_name, is_demo, topic_names, names, topics: Object.fromEntries(packed) };
}

function toMark(isBlocked: boolean | undefined): string {
  return isBlocked === undefined ? marks.absent : isBlocked ? marks.blocked : marks.allowed;
}

function toChat({ names, topics, ...chat }: KnownChat): Chat {
  const unpacked = Object.entries(topics).map(([id, packed]) => {
    const settings: Settings = {};
    for (const [index, name] of names.entries()) {
      if (packed[index] === marks.blocked || packed[index] === marks.allowed) {
        settings[name] = packed[index] === marks.blocked;
      }
    }
    return [id, settings] as const;
  });
  // What language the bot writes is not stored: it cannot be changed before the server has answered.
  const unknown = { language: null, languages: [] };
  return { _id: chat.chat_id, ...chat, ...unknown, topics: Object.fromEntries(unpacked) };
}
