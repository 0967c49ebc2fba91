/** What the address says of the model browser: the search and the sort order. */
import { useQueryClient } from '@tanstack/react-query';
import * as v from 'valibot';

import { defaultSortOrder, sortOrders, type SortOrder } from '#contract/images/sort-orders';
import { useQueryString } from '#lib/address';
import { useSearchTerm } from '#lib/search-term';

import { modelQueries } from './model-queries.ts';

const sortOrder = v.picklist(sortOrders.map(({ value }) => value));

type ModelsPlace = {
  readonly sort: SortOrder;
  readonly sortBy: (order: string) => void;
  /** What is searched for, trimmed. */
  readonly query: string;
  /** What stands in the field. */
  readonly typed: string;
  readonly type: (text: string) => void;
};

export function useModelsPlace(): ModelsPlace {
  const [address, setAddress] = useQueryString();
  const queryClient = useQueryClient();
  const order = v.safeParse(sortOrder, address.get('sort'));

  function change(values: Readonly<Record<string, string>>): void {
    setAddress(
      (present) => {
        const next = new URLSearchParams(present);
        for (const [name, value] of Object.entries(values)) {
          if (value === '') {
            next.delete(name);
          } else {
            next.set(name, value);
          }
        }
        return next;
      },
      { replace: true },
    );
  }

  const query = (address.get('q') ?? '').trim();
  const [typed, type] = useSearchTerm(query, (q) => change({ q }));
  return {
    sort: order.success ? order.output : defaultSortOrder,
    // A search has an order of its own, so choosing one ends it.
    sortBy: (value) => {
      type('');
      change({ q: '', sort: value === defaultSortOrder ? '' : value });
      // What was loaded in that order before is loaded anew.
      queryClient.removeQueries({ queryKey: modelQueries.lists, type: 'inactive' });
    },
    // A field that was emptied shows everything at once; what is typed waits for a pause.
    query: typed.trim() === '' ? '' : query,
    typed,
    type,
  };
}
