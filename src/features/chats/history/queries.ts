/** Reads of who has changed what in a chat. */
import { infiniteQueryOptions } from '@tanstack/react-query';

import { listChanges } from '#contract/endpoints/chat-changes';
import { call } from '#lib/api';

/** Page by page, the newest change first. */
export function changesOf(chatId: string) {
  return infiniteQueryOptions({
    queryKey: ['chats', 'changes', chatId],
    queryFn: ({ pageParam, signal }) =>
      call(
        listChanges,
        { chat_id: chatId, ...(pageParam === '' ? {} : { before: pageParam }) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ changes, has_more }) => (has_more ? changes.at(-1)?.change_id : undefined),
    // Whoever comes here wants to know how it is now.
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
}
