/** A chat that is open in the dashboard: kept fresh, and left or followed when access or ID change. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';

import { chatActivity } from '#contract/endpoints/chat-activity';
import { type Chat } from '#contract/endpoints/chats';
import { errorText } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { type ChatSection, dashboardPaths } from '#lib/paths';

import {
  isNotManaged,
  isReadRefused,
  showFailure,
  showInfo,
  useLostChat,
} from './failed-writes.ts';
import { forgetLastKnown, readLastKnown, saveLastKnown } from './last-known.ts';
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
