/** Which commands the bot of this server can do: it depends on the services that are connected. */
import { type Need, needs } from '#contract/commands/command';
import { type CommandId, commandIds, isOffered } from '#contract/commands/index';
import { type Env } from '#server/app/env';

const connections: Readonly<Record<Need, (env: Env) => unknown>> = {
  anilist: ({ publicApi }) => publicApi.aniListRoot,
  anilistAccount: ({ anilist }) => anilist,
  spotify: ({ spotify }) => spotify,
  upstream: ({ publicApi }) => publicApi.upstream,
  translate: ({ translate }) => translate,
  wikimedia: ({ wikimedia }) => wikimedia,
  weather: ({ weather }) => weather,
  adult: ({ publicApi, allowsAdult }) => (allowsAdult ? publicApi.upstream : undefined),
};

/** The services that commands use and the operator has set up. */
function connectedNeeds(env: Env): ReadonlySet<Need> {
  return new Set(needs.filter((need) => connections[need](env) !== undefined));
}

/** None without a bot that hears commands. */
export function offeredCommands(env: Env): readonly CommandId[] {
  if (env.botToken === undefined || env.botMode === 'off') {
    return [];
  }
  const connected = connectedNeeds(env);
  return commandIds.filter((id) => isOffered(id, connected));
}
