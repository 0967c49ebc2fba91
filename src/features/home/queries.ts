/** The figures that Home shows. */
import { queryOptions, useQuery } from '@tanstack/react-query';

import type { UsageRecord } from '#contract/endpoints/usage';

const usage = () =>
  queryOptions({
    queryKey: ['usage'],
    // The call comes after the page: what reads its answer is nothing that the first paint needs.
    queryFn: async ({ signal }) => (await import('./usage-call.ts')).callUsage(signal),
    // A figure less is no reason to keep anybody waiting.
    retry: false,
  });

/** The records; undefined while they are on their way, and none when they cannot be had. */
export function useUsage(): readonly UsageRecord[] | undefined {
  const { data, isPending } = useQuery(usage());
  return isPending ? undefined : (data ?? []);
}
