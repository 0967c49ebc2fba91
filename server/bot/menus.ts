/** The lists of commands in Telegram's menus, from the table. Telegram shows a user the narrowest list that fits. */
import { type BotCommand, type BotCommandScope } from 'grammy/types';

import { adultTexts } from '#contract/commands/adult-texts';
import { animeTexts } from '#contract/commands/anime-texts';
import { groupTexts } from '#contract/commands/group-texts';
import { type CommandId, commandTable, isForAdults } from '#contract/commands/index';
import { isInlineId } from '#contract/commands/inline';
import { inlineTexts } from '#contract/commands/inline-texts';
import { miscTexts } from '#contract/commands/misc-texts';
import { type Say } from '#server/lib/languages';

/** Who sees a list: people in private chats, members of groups, or their administrators. */
export type Audience = 'private' | 'members' | 'administrators';

export const commandLists: readonly {
  readonly scope: BotCommandScope;
  readonly audience: Audience;
}[] = [
  { scope: { type: 'default' }, audience: 'private' },
  { scope: { type: 'all_private_chats' }, audience: 'private' },
  { scope: { type: 'all_group_chats' }, audience: 'members' },
  { scope: { type: 'all_chat_administrators' }, audience: 'administrators' },
];

/** What a command does, in the language that `say` speaks. */
export function describeCommand(id: CommandId, say: Say): string {
  // Each text module is translated as a whole.
  if (isAnime(id)) {
    return say(animeTexts)[id].description;
  }
  if (isInlineId(id)) {
    return say(inlineTexts)[id].description;
  }
  if (isAdult(id)) {
    return say(adultTexts)[id].description;
  }
  return isMisc(id) ? say(miscTexts)[id].description : say(groupTexts)[id].description;
}

const isAnime = (id: CommandId): id is keyof typeof animeTexts => Object.hasOwn(animeTexts, id);
const isAdult = (id: CommandId): id is keyof typeof adultTexts => Object.hasOwn(adultTexts, id);

const isMisc = (id: CommandId): id is keyof typeof miscTexts => Object.hasOwn(miscTexts, id);

function isFor(id: CommandId, audience: Audience): boolean {
  const { where, who } = commandTable[id];
  if (audience === 'private') {
    return where.includes('private');
  }
  return where.includes('group') && (audience === 'administrators' || who === 'anyone');
}

/** The commands that a list shows, of those that are offered there. */
export function listCommands(
  audience: Audience,
  say: Say,
  offered: readonly CommandId[],
): readonly BotCommand[] {
  return offered.filter((id) => isFor(id, audience)).map((id) => toBotCommand(id, audience, say));
}

/** Without those that are shown only where they are switched on. */
export const withoutAdult = (offered: readonly CommandId[]): readonly CommandId[] =>
  offered.filter((id) => !isForAdults(id));

function toBotCommand(id: CommandId, audience: Audience, say: Say): BotCommand {
  const { names, answer } = commandTable[id];
  const command = { command: names[0], description: describeCommand(id, say) };
  return answer === 'quiet' && audience !== 'private'
    ? { ...command, is_ephemeral: true }
    : command;
}
