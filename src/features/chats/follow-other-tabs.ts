/** Reads again what another tab of this browser has changed, also when both are in view. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import { onOtherTabs } from '#lib/other-tabs';

import { chatQueries } from './queries.ts';

/** Changes that come together are read together. */
const gatherMs = 300;

export function useFollowingOtherTabs(): void {
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
