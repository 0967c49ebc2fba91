/** Whether the backend can be reached, asked again with growing pauses until it can. */
import { useQuery } from '@tanstack/react-query';

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

/** Starts as "no": the page never opens with an alarm. */
export function useIsBackendDown(): boolean {
  const health = useQuery<number>({
    queryKey: ['health'],
    // Counts the failures in a row; a failed check is an answer here, not an error.
    queryFn: ({ client, signal }) =>
      call(readHealth, {}, signal).then(
        () => 0,
        () => (client.getQueryData<number>(['health']) ?? 0) + 1,
      ),
    refetchInterval: ({ state }) => pauseMs(state.data ?? 0),
    refetchOnReconnect: 'always',
    refetchOnWindowFocus: 'always',
  });
  return (health.data ?? 0) >= failuresForBanner;
}
