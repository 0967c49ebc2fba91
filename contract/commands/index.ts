/** The table of all commands that the bot can do, and its types. What each needs decides what a server offers. */
import { adultCommands, animeCommands } from './anime.ts';
import { type Command, type Need, type Place } from './command.ts';
import { groupCommands } from './group.ts';
import { inlineCommands, type InlineId, isInlineId } from './inline.ts';
import { miscCommands } from './misc.ts';

/** Of the Features page, in the order of its tabs. Those without a command yet are tabs, too. */
export const categories = ['group', 'animeSFW', 'animeNSFW', 'misc', 'inline'] as const;
export type Category = (typeof categories)[number];

const commandsByCategory = {
  group: groupCommands,
  animeSFW: animeCommands,
  animeNSFW: adultCommands,
  misc: miscCommands,
  inline: inlineCommands,
} as const satisfies Readonly<Record<Category, Readonly<Record<string, Command>>>>;

export type CommandId = {
  [Name in Category]: keyof (typeof commandsByCategory)[Name];
}[Category];

/** What is written as a message that begins with a slash. */
export type ChatCommandId = Exclude<CommandId, InlineId>;

export const commandTable: Readonly<Record<CommandId, Command>> = {
  ...groupCommands,
  ...animeCommands,
  ...adultCommands,
  ...miscCommands,
  ...inlineCommands,
};

export function isCommandId(id: string): id is CommandId {
  return Object.hasOwn(commandTable, id);
}

/** All commands in the order of menus and pages. */
export const commandIds: readonly CommandId[] = Object.keys(commandTable).filter(isCommandId);

export function commandsIn(category: Category): readonly CommandId[] {
  return Object.keys(commandsByCategory[category]).filter(isCommandId);
}

/** IDs of commands that were merged into others: links and the usage figures of earlier versions name them. */
const formerIds: ReadonlyMap<string, CommandId> = new Map([
  ['tban', 'ban'],
  ['tmute', 'mute'],
  ['unlock', 'lock'],
  ['ping', 'status'],
  ...['tk', 'douyin', 'insta', 'fb', 'x', 'threads', 'pinterest'].map(
    (network) => [network, 'download'] as const,
  ),
  ['animetts', 'tts'],
  ['pixiv', 'sfw'],
]);

/** The command that an ID stands for today; undefined for one that is gone. */
export function findCurrentId(id: string): CommandId | undefined {
  return isCommandId(id) ? id : formerIds.get(id);
}

const isChatCommandId = (id: CommandId): id is ChatCommandId => !isInlineId(id);

/** By the names of those commands. */
const toNames = <Id extends CommandId>(ids: readonly Id[]): ReadonlyMap<string, Id> =>
  new Map(ids.flatMap((id) => commandTable[id].names.map((name) => [name, id] as const)));

const chatCommandByName = toNames(commandIds.filter(isChatCommandId));
const inlineByKeyword = toNames(commandIds.filter(isInlineId));

/** The command that has a name, in lower case and without the slash. */
export const findCommand = (name: string): ChatCommandId | undefined => chatCommandByName.get(name);

/** What a keyword finds in any chat, in lower case. Commands may have the same names. */
export const findInline = (keyword: string): InlineId | undefined => inlineByKeyword.get(keyword);

/** Whether a command works where only these services are connected. */
export function isOffered(id: CommandId, connected: ReadonlySet<Need>): boolean {
  const { needs = [] } = commandTable[id];
  const isReachable = !isInlineId(id) || connected.has('inline');
  return isReachable && (needs.length === 0 || needs.some((need) => connected.has(need)));
}

/** Such a command is shown only where it is switched on. */
export const isForAdults = (id: CommandId): boolean =>
  commandTable[id].needs?.includes('adult') === true;

export function isForPlace(id: CommandId, place: Place): boolean {
  return commandTable[id].where.includes(place);
}
