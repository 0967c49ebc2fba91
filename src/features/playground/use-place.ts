/** Where one is in the playground, as the address says it: Back, a reload and a link keep it. */
import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { type PublicEndpoint } from '#contract/playground/public-endpoint';
import { useQueryString } from '#lib/address';

import { useDrafts } from './drafts.ts';
import { isBrought, offered, valuesIn } from './request.ts';
import { wide } from './use-view.ts';

/** What an entry of the history remembers: from where it was opened. An address that somebody followed has none. */
const origin = v.object({ from: v.picklist(['list', 'endpoint', 'form']) });
type Origin = v.InferOutput<typeof origin>;

export type Place = {
  /** The endpoint of the address; undefined on the list alone. */
  readonly endpoint: PublicEndpoint | undefined;
  readonly isResponse: boolean;
  /** What is searched for in the list. */
  readonly term: string;
  readonly search: (term: string) => void;
  readonly open: (id: string) => void;
  /** What a link to an endpoint has to remember. */
  readonly origin: Origin;
  /** The list is one step back. */
  readonly isFromList: boolean;
  /** To the answer, where it is a view of its own. */
  readonly showResponse: () => void;
  readonly hideResponse: () => void;
  /** Back to the list, as if the endpoint had not been opened. */
  readonly leave: () => void;
};

export function usePlace(): Place {
  const [query, setQuery] = useQueryString();
  const { search, state }: { readonly search: string; readonly state: unknown } = useLocation();
  const navigate = useNavigate();
  const { fill, recall } = useDrafts();
  const endpoint = offered.find(({ id }) => id === query.get('endpoint'));
  const brought = [...query.keys()].some(isBrought) ? query.toString() : '';

  const take = useEffectEvent(() => {
    const values = endpoint && valuesIn(endpoint, query);
    if (endpoint && values) {
      fill(endpoint, values);
    }
    // What the link brought is in the form now, which one may change.
    const rest = [...query].filter(([name]) => !isBrought(name) && name !== 'view');
    setQuery(new URLSearchParams(rest), { replace: true, state });
  });
  useEffect(() => {
    if (brought !== '') {
      take();
    }
  }, [brought]);
  const dropView = useEffectEvent(() => {
    const rest = new URLSearchParams(search);
    if (rest.get('view') !== null && brought === '') {
      rest.delete('view');
      setQuery(rest, { replace: true });
    }
  });
  useEffect(() => {
    // Answers are not kept: the address of one leads to its form.
    dropView();
    recall();
  }, [recall]);

  const from = v.is(origin, state) ? state.from : undefined;
  const here: Origin = { from: endpoint ? 'endpoint' : 'list' };

  /** Back from what was opened here; from what an address has opened, to what it should have come from. */
  function stepBack(isBehind: boolean, otherwise: Record<string, string>): void {
    if (isBehind) {
      void navigate(-1);
    } else {
      setQuery(otherwise, { replace: true });
    }
  }

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
        { replace: true, state },
      ),
    open: (id) => {
      if (id !== endpoint?.id) {
        setQuery({ endpoint: id }, { state: here });
      }
    },
    origin: here,
    isFromList: from === 'list',
    showResponse: () => {
      if (endpoint && query.get('view') !== 'response' && !window.matchMedia(wide).matches) {
        setQuery({ endpoint: endpoint.id, view: 'response' }, { state: { from: 'form' } });
      }
    },
    hideResponse: () => stepBack(from === 'form', endpoint ? { endpoint: endpoint.id } : {}),
    leave: () => stepBack(from !== undefined, {}),
  };
}
