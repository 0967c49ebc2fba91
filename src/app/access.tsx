/** Who may open a route, and where other users are redirected. */
import { useQueryClient } from '@tanstack/react-query';
import { Activity, type ReactNode, useEffect, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { type Route } from '#lib/route';
import { getSession, onSessionChange, useSession } from '#lib/session';
import { tabMarks } from '#lib/storage';
import { Spinner } from '#ui/spinner';

import { routeAt } from './routes.ts';
import { loadScreen } from './screens.ts';
import { texts } from './shell/texts.ts';

import styles from './access.module.css';

/**
 * The address to return to after the login, in the history entry. Only addresses of this site. `user`
 * is whose session ended there: only that user returns to it, as it may name their chats.
 */
const returnState = v.object({
  from: v.pipe(v.string(), v.regex(/^\/(?!\/)/)),
  user: v.optional(v.string()),
});

/** Whether the session began with a login on this page. */
let isNewLogin = false;

onSessionChange((now, before) => {
  if (now.status !== 'member') {
    return;
  }
  tabMarks.write('had_user', '1');
  if (before.status !== 'member') {
    isNewLogin = before.status === 'guest';
    // What was typed to sign up belongs to the person who did it.
    tabMarks.write('email', undefined);
  }
});

type GuardProps = { readonly route: Route; readonly children: ReactNode };

/** Shows the screen to users who may see it, and redirects the others. */
export function Guard({ route, children }: GuardProps) {
  const session = useSession();
  if (route.access === 'guest') {
    return <GuestGuard route={route}>{children}</GuestGuard>;
  }
  if (route.access === 'member' && session.status !== 'member') {
    return session.status === 'unknown' ? <Waiting /> : <ToLogin {...session} />;
  }
  return children;
}

function GuestGuard({ route: { lingerMs }, children }: GuardProps) {
  const session = useSession();
  const { launch } = usePlatform();
  const [isArrivingAsMember] = useState(() => getSession().status === 'member');

  const isMember = session.status === 'member';
  const isStaying = isNewLogin && !isArrivingAsMember && lingerMs !== undefined;
  // A guest's screen is prerendered and shown at once, unless launch data will sign the user in.
  const isWaiting = session.status === 'unknown' && launch.initData !== undefined;
  return (
    <>
      {isWaiting && <Waiting />}
      {(!isMember || isStaying) && (
        // Hidden, it keeps what was typed before the scripts had arrived.
        <Activity mode={isWaiting ? 'hidden' : 'visible'}>{children}</Activity>
      )}
      {isMember && <FromLogin user={session.telegramId} afterMs={isStaying ? lingerMs : 0} />}
    </>
  );
}

type ToLoginProps = { readonly isNewcomer: boolean; readonly formerId?: string | undefined };

function ToLogin({ isNewcomer, formerId: user }: ToLoginProps) {
  const { key, pathname, search } = useLocation();
  // After a user has logged out, the next login begins at the dashboard, also theirs.
  const hasLeft = user === undefined && tabMarks.read('had_user') !== undefined;
  const state = hasLeft ? undefined : { from: pathname + search, user };
  // Keyed by the history entry, so that going back to the guarded address redirects again.
  return <Navigate key={key} replace to={isNewcomer ? paths.signup : paths.login} state={state} />;
}

type FromLoginProps = { readonly user: string | undefined; readonly afterMs: number };

/** Goes on to where the user wanted to be, which is made ready meanwhile. */
function FromLogin({ user, afterMs }: FromLoginProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { success, output } = v.safeParse(returnState, useLocation().state);
  const to = success && (output.user ?? user) === user ? output.from : paths.dashboard;

  useEffect(() => {
    const [path = '', query] = to.split('?');
    const route = routeAt(path);
    void loadScreen(route);
    route.readAhead?.(client, new URLSearchParams(query)).catch(() => undefined);
    const timer = setTimeout(() => void navigate(to, { replace: true }), afterMs);
    return () => clearTimeout(timer);
  }, [client, navigate, to, afterMs]);

  return null;
}

function Waiting() {
  return (
    <div className={styles.waiting}>
      <Spinner label={texts.signingIn} />
    </div>
  );
}
