/** Where the user is in the playground: the address keeps it over Back, reload and links. */
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import * as v from 'valibot';

import { type PublicEndpoint } from '#contract/playground/public-endpoint';
import { useQueryString } from '#lib/address';

import { isLinkValue, listedEndpoints, readLink } from './request.ts';
import { useDrafts } from './store.ts';

/** The state of a history entry: from which view it was opened. An entry that a link opened has none. */
const originSchema = v.object({ from: v.picklist(['list', 'endpoint', 'form']) });
type Origin = v.InferOutput<typeof originSchema>;

export type Place = {
  /** The endpoint of the address; undefined on the list alone. */
  readonly endpoint: PublicEndpoint | undefined;
  readonly isResponse: boolean;
  /** The search term of the list. */
  readonly term: string;
  readonly search: (term: string) => void;
  readonly open: (id: string) => void;
  /** The state for links to an endpoint. */
  readonly origin: Origin;
  /** The list is one step back. */
  readonly isFromList: boolean;
  /** Opens the response where it is a view of its own. */
  readonly showResponse: () => void;
  readonly hideResponse: () => void;
  /** Back to the list, as if the endpoint had not been opened. */
  readonly leave: () => void;
};

export function usePlace(): Place {
  const [query, setQuery] = useQueryString();
  const { state }: { readonly state: unknown } = useLocation();
  const navigate = useNavigate();
  const endpoint = listedEndpoints.find(({ id }) => id === query.get('endpoint'));
  useLinkValues(endpoint);

  const from = v.is(originSchema, state) ? state.from : undefined;
  const origin: Origin = { from: endpoint ? 'endpoint' : 'list' };

  /** Goes back if the previous view is in the history; otherwise replaces this entry by it. */
  function stepBack(isInHistory: boolean, fallback: Record<string, string>): void {
    if (isInHistory) {
      void navigate(-1);
    } else {
      setQuery(fallback, { replace: true });
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
        setQuery({ endpoint: id }, { state: origin });
      }
    },
    origin,
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

/** Moves the values of a link into the form, and restores the drafts. */
function useLinkValues(endpoint: PublicEndpoint | undefined): void {
  const [query, setQuery] = useQueryString();
  const { search, state }: { readonly search: string; readonly state: unknown } = useLocation();
  const { fill, restore } = useDrafts();
  const linkQuery = [...query.keys()].some(isLinkValue) ? query.toString() : '';

  const takeValues = useEffectEvent(() => {
    const values = endpoint && readLink(endpoint, query);
    if (endpoint && values) {
      fill(endpoint, values);
    }
    // The user may change the form: the address must not keep the old values.
    const rest = [...query].filter(([name]) => !isLinkValue(name) && name !== 'view');
    setQuery(new URLSearchParams(rest), { replace: true, state });
  });
  useEffect(() => {
    if (linkQuery !== '') {
      takeValues();
    }
  }, [linkQuery]);

  const dropView = useEffectEvent(() => {
    const rest = new URLSearchParams(search);
    if (rest.get('view') !== null && linkQuery === '') {
      rest.delete('view');
      setQuery(rest, { replace: true });
    }
  });
  useEffect(() => {
    // Responses are not stored: after a reload their address leads to the form.
    dropView();
    restore();
  }, [restore]);
}

/** From this width on list and form are side by side; see the style sheet. */
const wide = '(width >= 900px)';

/** The response is below the form; on a wider page it is a pane of its own. */
export const twoPanes = '(900px <= width < 1280px)';

export type View = 'list' | 'form' | 'response';

/** The heading of each view. The other headings are in the page, too, but hidden. */
const headings = { list: 'h1', form: '#endpoint', response: '#results' } as const;

/**
 * On a phone each view behaves like a page: it begins at its top, its heading gets the focus, and Back
 * restores the scroll position. `viewId` tells views of different endpoints apart.
 */
export function useViewScroll(view: View, viewId: string): void {
  const { key } = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  const shown = useRef({ viewId, key, top: 0 });
  /** Key of a history entry → scroll position. */
  const positions = useRef(new Map<string, number>());

  useEffect(() => {
    const remember = () => {
      shown.current.top = window.scrollY;
    };
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, []);

  // Before the browser limits the scroll position to the height of a shorter view.
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { ...before, viewId, key };
    if (before.viewId === viewId) {
      return;
    }
    positions.current.set(before.key, before.top);
    if (window.matchMedia(wide).matches) {
      return;
    }
    window.scrollTo(0, isBack ? (positions.current.get(key) ?? 0) : 0);
    document
      .getElementById('content')
      ?.querySelector<HTMLElement>(headings[view])
      ?.focus({ preventScroll: true });
  }, [view, viewId, key, isBack]);
}
