/** The whole catalogue: every command with its category, in the order of the tabs. */
import { animeNsfwTexts } from './anime-nsfw-texts.ts';
import { animeSfwTexts } from './anime-sfw-texts.ts';
import { groupTexts } from './group-texts.ts';
import { inlineTexts } from './inline-texts.ts';
import { miscTexts } from './misc-texts.ts';
import { usageTexts } from './usage-texts.ts';
import { animeNsfw, animeSfw, group, inline, misc, type UsageLine } from './usage.ts';

/** Words, or a part that is typed as it stands. */
type Part = { readonly text: string; readonly isTyped: boolean };
/** A way to use a command; `@bot` stands for the bot's name. */
export type Line = readonly Part[];

type Entry = {
  /** Used in links. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly usage: readonly Line[];
};

/** The commands of a category, in the order of their usage. */
function list<Id extends string>(
  usage: Readonly<Record<Id, readonly UsageLine[]>>,
  texts: Readonly<Record<Id, Pick<Entry, 'title' | 'description'>>>,
): readonly Entry[] {
  return Object.keys(usage)
    .filter((id): id is Id => Object.hasOwn(texts, id))
    .map((id) => {
      const { title, description } = texts[id];
      return { id, title, description, usage: usage[id].map(toParts) };
    });
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

const byCategory = {
  group: list(group, groupTexts),
  animeSFW: list(animeSfw, animeSfwTexts),
  animeNSFW: list(animeNsfw, animeNsfwTexts),
  misc: list(misc, miscTexts),
  inline: list(inline, inlineTexts),
} as const;

export type Category = keyof typeof byCategory;
export type Command = Entry & { readonly category: Category };

export const firstCategory: Category = 'group';
/** Its commands are shown only after the age confirmation. */
export const adultCategory: Category = 'animeNSFW';

export function isCategory(name: string | null): name is Category {
  return name !== null && Object.hasOwn(byCategory, name);
}

export const categories: readonly Category[] = Object.keys(byCategory).filter(isCategory);

export const commands: readonly Command[] = categories.flatMap((category) =>
  byCategory[category].map(({ id, title, description, usage }) => ({
    id,
    title,
    description,
    usage,
    category,
  })),
);

export function lineText(line: Line): string {
  return line.map(({ text }) => text).join('');
}
