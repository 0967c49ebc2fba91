/** Logging out has to work without a network: what it takes is fetched while there is one. */
import { useEffect } from 'react';

import { paths } from '#lib/paths';
import { useSession } from '#lib/session';

import { routeAt } from '../routes.ts';
import { loadScreen } from '../screens.ts';

/** After the page's own chunks and calls. */
const fetchAfterMs = 2000;

/** Fetches the question and the screen behind it, once somebody is logged in. */
export function useWayOut(): void {
  const isMember = useSession().status === 'member';

  useEffect(() => {
    const login = routeAt(paths.login);
    if (!isMember) {
      return undefined;
    }
    const timer = setTimeout(() => {
      // What is lost now is asked for again when it is needed.
      Promise.all([import('./questions.tsx'), login && loadScreen(login)]).catch(() => undefined);
    }, fetchAfterMs);
    return () => clearTimeout(timer);
  }, [isMember]);
}
