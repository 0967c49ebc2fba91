/** A chat's settings while they are open: kept fresh, and followed when the chat moves or is lost. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';

import { type Chat } from '#contract/endpoints/chats';
import { dashboardPaths } from '#lib/paths';

import { showFailure, showInfo, useLostChat } from '../failed-writes.ts';
import { useFollowingOtherTabs } from '../follow-other-tabs.ts';
import { chatQueries, isNotManaged } from '../queries.ts';
import { chatTexts } from '../texts.ts';
import { useOnReturn } from '../use-on-return.ts';

const texts = chatTexts.settings;

/** Reads the chat again whenever the person comes back to it. */
export function useManagedChat(chatId: string) {
  const query = useQuery(chatQueries.one(chatId));
  useFollowingOtherTabs();
  useOnReturn(() => void query.refetch({ cancelRefetch: false }));
  return { ...query, isNotManaged: isNotManaged(query.error) };
}

/** Leaves the settings of a chat that turned out to be no longer the person's. */
export function useLeavingLost(
  chat: Chat | undefined,
  { chatId, isRefused }: { readonly chatId: string; readonly isRefused: boolean },
): void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const wasWriteRefused = useLostChat((lost) => lost.chatId === chatId);
  const isLost = chat !== undefined && (isRefused || wasWriteRefused);

  const leave = useEffectEvent(() => {
    if (chat) {
      showFailure('chat-lost', texts.lost(chatTexts.chatTitle(chat)));
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
    // Only once the screen is gone: as long as it is there, it would read the chat again.
    return () => forget();
  }, [isLost]);
}

/** Moves on to the chat's new address when the group has become a supergroup, with another id. */
export function useFollowingUpgrade(
  chat: Chat | undefined,
  { chatId, topicId }: { readonly chatId: string; readonly topicId: string | undefined },
): void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const presentId = chat?.chat_id ?? chatId;

  const follow = useEffectEvent(() => {
    if (chat) {
      client.setQueryData(chatQueries.one(presentId).queryKey, chat);
      showInfo('chat-upgraded', texts.upgraded);
      void navigate(dashboardPaths.chat(presentId, topicId), { replace: true });
    }
  });
  useEffect(() => {
    if (presentId !== chatId) {
      follow();
    }
  }, [presentId, chatId]);
}
