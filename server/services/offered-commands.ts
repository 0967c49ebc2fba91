/** Which commands the bot of this server can do: it depends on the services that are connected. */
import { type Need, needs } from '#contract/commands/command';
import { type CommandId, commandIds, isOffered } from '#contract/commands/index';
import { type Env } from '#server/app/env';
import { offersAdults } from '#services/chats';

import { canSharePictures } from './picture-sharing.ts';

const connections: Readonly<Record<Exclude<Need, 'inline'>, (env: Env) => unknown>> = {
  anilist: ({ publicApi }) => publicApi.aniListRoot,
  anilistAccount: ({ anilist }) => anilist,
  spotify: ({ spotify }) => spotify,
  upstream: ({ publicApi }) => publicApi.upstream,
  translate: ({ translate }) => translate,
  wikimedia: ({ wikimedia }) => wikimedia,
  weather: ({ weather }) => weather,
  publicAddress: (env) => canSharePictures(env) || undefined,
  adult: (env) => offersAdults(env) || undefined,
};

/** What BotFather has set up for the bot. */
type BotFacts = { readonly hearsInline: boolean };

/** The services that commands use and the operator has set up. */
function connectedNeeds(env: Env, { hearsInline }: BotFacts): ReadonlySet<Need> {
  return new Set(
    needs.filter((need) =>
      need === 'inline' ? hearsInline : connections[need](env) !== undefined,
    ),
  );
}

/** None without a bot that hears commands. What is found in any chat depends on Telegram's answer, too. */
export function offeredCommands(
  env: Env,
  bot: BotFacts = { hearsInline: false },
): readonly CommandId[] {
  if (env.botToken === undefined || env.botMode === 'off') {
    return [];
  }
  const connected = connectedNeeds(env, bot);
  return commandIds.filter((id) => isOffered(id, connected));
}
