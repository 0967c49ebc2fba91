/**
 * With what a service has sent the person back. The address is read once and then plain again: a code
 * must not be seen, shared or kept in the history. The entry itself remembers what a reload needs.
 */
import { useEffect, useSyncExternalStore } from 'react';
import { type Location, useLocation, useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { callbackTexts as texts } from './texts.ts';

const arrivals = v.variant('kind', [
  /** The service agreed; the code has yet to be exchanged. */
  v.object({ kind: v.literal('code'), code: v.string(), state: v.string() }),
  v.object({ kind: v.literal('linked') }),
  v.object({ kind: v.literal('failed'), message: v.string() }),
]);
export type Arrival = v.InferOutput<typeof arrivals>;

/** More of it than fits on a screen helps nobody. */
const longestError = 200;

const never = () => () => undefined;

/** The arrival, undefined until the prerendered page is alive; and how to remember what became of it. */
export function useArrival(
  label: string,
): readonly [arrival: Arrival | undefined, remember: (arrival: Arrival) => void] {
  const location = useLocation();
  const navigate = useNavigate();
  const isAlive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const arrival = readArrival(location, label);
  const { pathname, search } = location;

  const remember = (next: Arrival) => void navigate(pathname, { replace: true, state: next });

  useEffect(() => {
    if (search !== '') {
      void navigate(pathname, { replace: true, state: readArrival({ search }, label) });
    }
  }, [label, pathname, search, navigate]);

  return [isAlive ? arrival : undefined, remember];
}

function readArrival(
  { search, state: kept }: Pick<Location, 'search'> & { readonly state?: unknown },
  label: string,
): Arrival {
  const query = new URLSearchParams(search);
  const [error, code, state] = ['error', 'code', 'state'].map((name) => query.get(name)?.trim());
  if (error) {
    return { kind: 'failed', message: texts.refused(label, error.slice(0, longestError)) };
  }
  if (code && state) {
    return { kind: 'code', code, state };
  }
  const known = v.safeParse(arrivals, kept);
  return known.success && search === '' ? known.output : { kind: 'failed', message: texts.missing };
}
