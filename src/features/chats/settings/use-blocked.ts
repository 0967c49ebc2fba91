/** What is shown as blocked in a topic: what is wished, else what the server has. */
import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

import { settingWrites, shownSettings } from '../queries.ts';

/** The settings of these that are blocked. One subscription per topic keeps hundreds of them cheap. */
export function useBlocked(
  chatId: string,
  topicId: string,
  names: readonly string[],
): ReadonlySet<string> {
  const client = useQueryClient();
  // Read from the cache and not from props, so that a confirmed wish never flickers back.
  const shown = useSyncExternalStore(settingWrites(client, chatId).subscribe, () =>
    shownSettings(client, { chatId, topicId, names }),
  );
  return new Set(names.filter((_name, index) => shown[index] === '1'));
}
