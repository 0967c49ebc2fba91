/** Which of the bot's commands this server can do: those that use a service depend on what is connected. */
import { queryOptions, useQuery } from '@tanstack/react-query';

import { type CommandId, isOffered } from '#contract/commands/index';
import { botCommands, readCommands } from '#contract/endpoints/bot-commands';

import { call } from './api.ts';
import { useCapabilities } from './capabilities.ts';
import { readOrLastSeen } from './offline.ts';

const offered = () =>
  queryOptions({
    queryKey: ['bot-commands'],
    queryFn: async ({ signal }) => {
      const seen = { key: 'commands', schema: readCommands.output };
      return (await readOrLastSeen(seen, () => call(readCommands, {}, signal))).commands;
    },
    // The page does without the few that need a service.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** True for those that need no service, and once the server has answered, for those whose services it has connected. */
export function useIsOffered(): (id: CommandId) => boolean {
  const { has } = useCapabilities();
  const { data } = useQuery({ ...offered(), enabled: has(botCommands) === true });
  return (id) => isOffered(id, new Set()) || data?.includes(id) === true;
}
