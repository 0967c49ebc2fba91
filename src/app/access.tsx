/** Who may open a route, and where other users are redirected. */
import { type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import * as v from 'valibot';

import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { type Route } from '#lib/route';
import { onSessionChange, useSession } from '#lib/session';
import { tabMarks } from '#lib/storage';
import { Spinner } from '#ui/spinner';

import { texts } from './shell/texts.ts';

import styles from './access.module.css';

/**
 * The address to return to after the login, in the history entry. Only addresses of this site. `user`
 * is who was logged in there before: only that user returns to it, as it may name their chats.
 */
const returnState = v.object({
  from: v.pipe(v.string(), v.regex(/^\/(?!\/)/)),
  user: v.optional(v.string()),
});

onSessionChange((_now, before) => {
  if (before.status === 'member') {
    // A user without a known ID is not recognised later.
    tabMarks.write('last_user', before.telegramId ?? '?');
  }
});

type GuardProps = { readonly access: Route['access']; readonly children: ReactNode };

/** Shows the screen to users who may see it, and redirects the others. */
export function Guard({ access, children }: GuardProps) {
  const session = useSession();
  const { launch } = usePlatform();
  const location = useLocation();

  if (access === 'public') {
    return children;
  }
  if (session.status === 'unknown') {
    // A guest's screen is prerendered and shown at once, unless launch data will sign the user in.
    return access === 'guest' && launch.initData === undefined ? children : <Waiting />;
  }
  if (access === 'member' && session.status === 'guest') {
    const from = location.pathname + location.search;
    const user = tabMarks.read('last_user');
    return <Redirect to={session.isNewcomer ? paths.signup : paths.login} state={{ from, user }} />;
  }
  if (access === 'guest' && session.status === 'member') {
    const { success, output } = v.safeParse(returnState, location.state);
    const mayReturn = success && (output.user ?? session.telegramId) === session.telegramId;
    return <Redirect to={mayReturn ? output.from : paths.dashboard} />;
  }
  return children;
}

/** Keyed by the history entry, so that going back to the guarded address redirects again. */
function Redirect(props: {
  readonly to: string;
  readonly state?: { readonly from: string; readonly user: string | undefined };
}) {
  return <Navigate key={useLocation().key} replace {...props} />;
}

function Waiting() {
  return (
    <div className={styles.waiting}>
      <Spinner label={texts.signingIn} />
    </div>
  );
}
