/** Whether the backend can be reached, asked again with growing pauses until it can. */
import { onlineManager, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

import { readHealth } from '#contract/endpoints/site';
import { call } from '#lib/api';

/** One lost packet is no outage: the banner needs this many failures in a row, and one success to go. */
const failuresForBanner = 2;
const whenUpMs = 60_000;
const firstPauseMs = 1500;
const longestPauseMs = 30_000;

/** Doubles with each failure, and spreads the clients out by up to a quarter. */
function pauseMs(failures: number): number {
  const pause =
    failures === 0 ? whenUpMs : Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
  return pause * (0.75 + Math.random() / 4);
}

const subscribe = (listen: () => void) => onlineManager.subscribe(listen);

/**
 * Why the backend is out of reach: because of it, or because the device is offline. False while it
 * answers, and at first: the page never opens with an alarm.
 */
export function useOutage(): 'backendDown' | 'offline' | false {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  // A query of its own for each, so that it is asked at once. The browser's word alone is not believed.
  const queryKey = ['health', isOnline];
  const health = useQuery<number>({
    queryKey,
    // Counts the failures in a row; a failed check is an answer here, not an error.
    queryFn: ({ client, signal }) =>
      call(readHealth, {}, signal).then(
        () => 0,
        () => (client.getQueryData<number>(queryKey) ?? 0) + 1,
      ),
    refetchInterval: ({ state }) => pauseMs(state.data ?? 0),
    refetchOnReconnect: 'always',
    refetchOnWindowFocus: 'always',
  });
  return (health.data ?? 0) >= failuresForBanner && (isOnline ? 'backendDown' : 'offline');
}
