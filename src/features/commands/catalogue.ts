/** What the page shows of each command: the table of commands with its texts, in the order of the tabs. */
import { type UsageLine } from '#contract/commands/command';
import {
  categories,
  type Category,
  type CommandId,
  commandsIn,
  commandTable,
  isOffered,
} from '#contract/commands/index';
import { commandTexts } from '#contract/commands/titles';
import { usageTexts } from '#contract/commands/usage-texts';

/** Words, or a part that is typed as it stands. */
type Part = { readonly text: string; readonly isTyped: boolean };
/** A way to use a command; `@bot` stands for the bot's name. */
export type Line = readonly Part[];

export type CatalogueEntry = {
  /** Used in links. */
  readonly id: CommandId;
  readonly category: Category;
  readonly title: string;
  readonly description: string;
  readonly names: readonly string[];
  readonly usage: readonly Line[];
  /** The server says whether a service that the command needs is connected. */
  readonly needsService: boolean;
};

function toEntry(id: CommandId, category: Category): CatalogueEntry {
  const { names, usage } = commandTable[id];
  const { title, description } = commandTexts[id];
  const needsService = !isOffered(id, new Set());
  return { id, category, title, description, names, usage: usage.map(toParts), needsService };
}

function toParts(line: UsageLine): Line {
  if (typeof line === 'string') {
    return [{ text: line, isTyped: true }];
  }
  const [name, command, other = ''] = line;
  const slots = new Map([
    ['{command}', command],
    ['{other}', other],
  ]);
  return usageTexts[name]
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map((text) => ({ text: slots.get(text) ?? text, isTyped: slots.has(text) }));
}

export const firstCategory: Category = 'group';
/** Its commands are shown only after the age confirmation. */
export const adultCategory: Category = 'animeNSFW';

export function isCategory(name: string | null): name is Category {
  return categories.some((category) => category === name);
}

/**
 * All of them. Commands that need a service are the last of their category: they are added when the server has
 * answered, and what is on the page must not move then.
 */
export const catalogue: readonly CatalogueEntry[] = categories.flatMap((category) =>
  commandsIn(category)
    .map((id) => toEntry(id, category))
    .toSorted((a, b) => Number(a.needsService) - Number(b.needsService)),
);

export function lineText(line: Line): string {
  return line.map(({ text }) => text).join('');
}
