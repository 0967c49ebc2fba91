/** The commands that this server's bot can do. */
import { queryOptions, useQuery } from '@tanstack/react-query';

import { botCommands, readCommands } from '#contract/endpoints/bot-commands';
import { call } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';

import { catalogue, type CatalogueEntry } from './catalogue.ts';

const offered = () =>
  queryOptions({
    queryKey: ['bot-commands'],
    queryFn: async ({ signal }) => (await call(readCommands, {}, signal)).commands,
    // The page does without the few that need a service.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Those that need no service, and once the server has answered, those whose services it has connected. */
export function useCommands(): readonly CatalogueEntry[] {
  const { has } = useCapabilities();
  const { data } = useQuery({ ...offered(), enabled: has(botCommands) === true });
  return catalogue.filter(({ id, needsService }) => !needsService || data?.includes(id) === true);
}
