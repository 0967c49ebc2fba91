/** The category, command and search term in the address, so that Back, a reload and a link keep them. */
import { useQueryString } from '#lib/address';

import {
  type Category,
  type Command,
  commands,
  firstCategory,
  isCategory,
} from './catalogue/index.ts';

type Change = {
  readonly category?: Category | undefined;
  readonly command?: string | undefined;
  readonly q?: string | undefined;
};

type Place = {
  readonly category: Category;
  /** The command that the address names. */
  readonly command: Command | undefined;
  readonly term: string;
  /** Changes the address: `undefined` removes a part, absent parts stay. */
  readonly change: (change: Change) => void;
};

export function usePlace(): Place {
  const [search, setSearch] = useQueryString();
  const command = commands.find(({ id }) => id === search.get('command'));
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
