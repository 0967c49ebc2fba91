/** Keeps an open chat up to date with what happens there, where the server tells it. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import { chatActivity } from '#contract/endpoints/chat-activity';
import { useCapabilities } from '#lib/capabilities';

/** `isManaged`: the person may see the chat, so that there is something to follow. */
export function useLiveChat(chatId: string, { isManaged }: { readonly isManaged: boolean }): void {
  const client = useQueryClient();
  const isOffered = useCapabilities().has(chatActivity) === true;

  useEffect(() => {
    if (!isOffered || !isManaged) {
      return undefined;
    }
    let isLeft = false;
    let stop: (() => void) | undefined;
    const start = async () => {
      const { followLiveChat } = await import('./follow-chat.ts');
      stop = isLeft ? undefined : followLiveChat(client, chatId);
    };
    // The page is complete without: nobody waits for this.
    start().catch(() => undefined);
    return () => {
      isLeft = true;
      stop?.();
    };
  }, [client, chatId, isOffered, isManaged]);
}
