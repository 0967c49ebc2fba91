/** The category, command and search term in the address, so that Back, a reload and a link keep them. */
import { type Category, findCurrentId } from '#contract/commands/index';
import { useQueryString } from '#lib/address';

import { catalogue, type CatalogueEntry, firstCategory, isCategory } from './catalogue.ts';

type Change = {
  readonly category?: Category | undefined;
  readonly command?: string | undefined;
  readonly q?: string | undefined;
};

type Place = {
  readonly category: Category;
  /** The command that the address names, whether or not the server has it. */
  readonly command: CatalogueEntry | undefined;
  readonly term: string;
  /** Changes the address: `undefined` removes a part, absent parts stay. */
  readonly change: (change: Change) => void;
};

export function usePlace(): Place {
  const [search, setSearch] = useQueryString();
  const named = findCurrentId(search.get('command') ?? '');
  const command = catalogue.find(({ id }) => id === named);
  const category = search.get('category');

  return {
    category: command?.category ?? (isCategory(category) ? category : firstCategory),
    command,
    term: search.get('q') ?? '',
    change: (wanted) =>
      setSearch(
        (present) => {
          const next = new URLSearchParams(present);
          for (const [name, value] of Object.entries(wanted)) {
            if (value === undefined || value === '' || value === firstCategory) {
              next.delete(name);
            } else {
              next.set(name, value);
            }
          }
          return next;
        },
        { replace: true },
      ),
  };
}
