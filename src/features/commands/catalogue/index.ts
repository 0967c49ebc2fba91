/** The whole catalogue: every command with its category, in the order of the tabs. */
import { animeNsfw } from './anime-nsfw.ts';
import { animeSfw } from './anime-sfw.ts';
import { type Entry } from './entry.ts';
import { group } from './group.ts';
import { inline } from './inline.ts';
import { misc } from './misc.ts';

const byCategory = { group, animeSFW: animeSfw, animeNSFW: animeNsfw, misc, inline } as const;

export type Category = keyof typeof byCategory;
export type Command = Entry & { readonly category: Category };

export const firstCategory: Category = 'group';
/** Its commands are shown only after the age confirmation. */
export const adultCategory: Category = 'animeNSFW';

export function isCategory(name: string | null): name is Category {
  return name !== null && Object.hasOwn(byCategory, name);
}

const categories: readonly Category[] = Object.keys(byCategory).filter(isCategory);

export const commands: readonly Command[] = categories.flatMap((category) =>
  byCategory[category].map(({ id, title, description, usage }) => ({
    id,
    title,
    description,
    usage,
    category,
  })),
);
