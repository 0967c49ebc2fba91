/** Which commands the bot of this server can do. */
import * as v from 'valibot';

import { isCommandId } from '#contract/commands/index';

import { endpoint, noInput } from './endpoint.ts';

/** The capability that announces `readCommands`. */
export const botCommands = 'bot.commands';

/** The IDs of the commands whose services are connected. Those that this version does not know are left out. */
export const readCommands = endpoint({
  method: 'GET',
  path: '/bot/commands',
  input: noInput,
  output: v.object({
    commands: v.pipe(
      v.array(v.string()),
      v.transform((ids) => ids.filter((id) => isCommandId(id))),
    ),
  }),
});
