/** Where one is in the playground, as the address says it: Back, a reload and a link keep it. */
import { useEffect, useEffectEvent } from 'react';

import { type PublicEndpoint } from '#contract/playground/public-endpoint';
import { useQueryString } from '#lib/address';

import { useDrafts } from './drafts.ts';
import { isBrought, offered, valuesIn } from './request.ts';

/** From here on the three views stand beside each other; see the style sheet. */
const wide = '(width >= 900px)';

export type Place = {
  /** The endpoint of the address; undefined on the list alone. */
  readonly endpoint: PublicEndpoint | undefined;
  readonly isResponse: boolean;
  /** What is searched for in the list. */
  readonly term: string;
  readonly search: (term: string) => void;
  readonly open: (id: string) => void;
  /** To the answer, where it is a view of its own. */
  readonly showResponse: () => void;
  readonly hideResponse: () => void;
  /** Back to the list, as if the endpoint had not been opened. */
  readonly leave: () => void;
};

export function usePlace(): Place {
  const [query, setQuery] = useQueryString();
  const { fill, recall } = useDrafts();
  const endpoint = offered.find(({ id }) => id === query.get('endpoint'));
  const brought = [...query.keys()].some(isBrought) ? query.toString() : '';

  const take = useEffectEvent(() => {
    const values = endpoint && valuesIn(endpoint, query);
    if (endpoint && values) {
      fill(endpoint, values);
    }
    // What the link brought is in the form now, which one may change.
    const rest = [...query].filter(([name]) => !isBrought(name));
    setQuery(new URLSearchParams(rest), { replace: true });
  });
  useEffect(() => {
    if (brought !== '') {
      take();
    }
  }, [brought]);
  useEffect(recall, [recall]);

  return {
    endpoint,
    isResponse: query.get('view') === 'response',
    term: query.get('q') ?? '',
    search: (term) =>
      setQuery(
        (present) => {
          const next = new URLSearchParams(present);
          next.delete('q');
          if (term !== '') {
            next.set('q', term);
          }
          return next;
        },
        { replace: true },
      ),
    open: (id) => setQuery({ endpoint: id }),
    showResponse: () => {
      if (endpoint && query.get('view') !== 'response' && !window.matchMedia(wide).matches) {
        setQuery({ endpoint: endpoint.id, view: 'response' });
      }
    },
    hideResponse: () => setQuery(endpoint ? { endpoint: endpoint.id } : {}, { replace: true }),
    leave: () => setQuery({}, { replace: true }),
  };
}
