/** Reads and changes of what was done to the members of a chat. */
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query';

import {
  type Action,
  listActions,
  listApprovals,
  listWarnings,
  removeApproval,
  removeWarnings,
  undoAction,
} from '#contract/endpoints/chat-members';
import { call } from '#lib/api';
import { tellOtherTabs } from '#lib/other-tabs';

import { type ChatPart, partKey } from '../queries.ts';

export const memberQueries = {
  /** Page by page, the newest first. */
  actions: (chatId: string, search: string) =>
    infiniteQueryOptions({
      queryKey: [...partKey('actions', chatId), search],
      queryFn: ({ pageParam, signal }) =>
        call(
          listActions,
          {
            chat_id: chatId,
            ...(pageParam === '' ? {} : { before: pageParam }),
            ...(search === '' ? {} : { search }),
          },
          signal,
        ),
      initialPageParam: '',
      getNextPageParam: ({ actions, has_more }) =>
        has_more ? actions.at(-1)?.action_id : undefined,
      // While the user types, the list does not vanish.
      placeholderData: keepPreviousData,
      refetchOnMount: 'always',
      refetchOnWindowFocus: 'always',
    }),
  warnings: (chatId: string) =>
    queryOptions({
      queryKey: partKey('warnings', chatId),
      queryFn: ({ signal }) => call(listWarnings, { chat_id: chatId }, signal),
      refetchOnMount: 'always',
      refetchOnWindowFocus: 'always',
    }),
  approvals: (chatId: string) =>
    queryOptions({
      queryKey: partKey('approvals', chatId),
      queryFn: ({ signal }) => call(listApprovals, { chat_id: chatId }, signal),
      refetchOnMount: 'always',
      refetchOnWindowFocus: 'always',
    }),
};

/** Reads parts again; resolves when the visible ones have been read, so that a row stays busy until it has changed. */
async function readAgain(
  client: QueryClient,
  chatId: string,
  parts: readonly ChatPart[],
): Promise<void> {
  tellOtherTabs('chats');
  await Promise.all(
    parts.map((part) => client.invalidateQueries({ queryKey: partKey(part, chatId) })),
  );
}

export async function undo(
  client: QueryClient,
  chatId: string,
  { action_id }: Action,
): Promise<void> {
  try {
    await call(undoAction, { chat_id: chatId, action_id });
  } finally {
    // Also after a refusal: another administrator may have undone it.
    await readAgain(client, chatId, ['actions', 'warnings']);
  }
}

/** Takes back one warning of a member, or all without `warningId`. */
export async function withdrawWarnings(
  client: QueryClient,
  chatId: string,
  { memberId, warningId }: { readonly memberId: string; readonly warningId?: string | undefined },
): Promise<void> {
  await call(removeWarnings, { chat_id: chatId, telegram_id: memberId, warning_id: warningId });
  await readAgain(client, chatId, ['warnings', 'actions']);
}

export async function endApproval(
  client: QueryClient,
  chatId: string,
  memberId: string,
): Promise<void> {
  await call(removeApproval, { chat_id: chatId, telegram_id: memberId });
  await readAgain(client, chatId, ['approvals']);
}
