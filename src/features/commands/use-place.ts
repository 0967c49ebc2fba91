/** The place in the catalogue that the address names, so that Back, a reload and a link keep it. */
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
  /** The one command that the address is about. */
  readonly command: Command | undefined;
  readonly term: string;
  /** Changes the address; what is `undefined` goes, what is not named stays. */
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
