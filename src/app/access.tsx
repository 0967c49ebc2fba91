/** Who may open a route, and where others are sent. */
import { type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import * as v from 'valibot';

import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { type Route } from '#lib/route';
import { useSession } from '#lib/session';
import { Spinner } from '#ui/spinner';

import { texts } from './shell/texts.ts';

import styles from './access.module.css';

/** A way back travels in the history entry; only addresses of our own are followed. */
const wayBack = v.object({ from: v.pipe(v.string(), v.regex(/^\/(?!\/)/)) });

type GuardProps = { readonly access: Route['access']; readonly children: ReactNode };

/** Shows the screen to those who may see it, and sends the others on. */
export function Guard({ access, children }: GuardProps) {
  const session = useSession();
  const { launch } = usePlatform();
  const location = useLocation();

  if (access === 'public') {
    return children;
  }
  if (session.status === 'unknown') {
    // A guest's screen is prerendered and shown at once, unless launch data is about to sign in.
    return access === 'guest' && launch.initData === undefined ? children : <Waiting />;
  }
  if (access === 'member' && session.status === 'guest') {
    const from = location.pathname + location.search;
    return <SendTo to={session.isNewcomer ? paths.signup : paths.login} state={{ from }} />;
  }
  if (access === 'guest' && session.status === 'member') {
    const wish = v.safeParse(wayBack, location.state);
    return <SendTo to={wish.success ? wish.output.from : paths.dashboard} />;
  }
  return children;
}

/** Sends on from every place anew: who goes Back to the same address before the other has loaded is sent, too. */
function SendTo(props: { readonly to: string; readonly state?: { readonly from: string } }) {
  return <Navigate key={useLocation().key} replace {...props} />;
}

function Waiting() {
  return (
    <div className={styles.waiting}>
      <Spinner label={texts.signingIn} />
    </div>
  );
}
