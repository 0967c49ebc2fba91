/** The frame around every screen: navigation, banners, the page itself, and the parts above it. */
import { useQueryClient } from '@tanstack/react-query';
import {
  createElement,
  lazy,
  memo,
  type ReactNode,
  Suspense,
  useEffect,
  Component,
  Activity,
  useState,
} from 'react';
import { useLocation, Navigate, useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { useCopyText } from '#lib/copy-text';
import { useLogoutQuestion } from '#lib/logout';
import { titles, labels } from '#lib/page-texts';
import { paths, prefix } from '#lib/paths';
import { usePendingGenerations } from '#lib/pending';
import { usePlatform } from '#lib/platform';
import { usePopups } from '#lib/popup';
import { type Route } from '#lib/route';
import { useSession, getSession, onSessionChange } from '#lib/session';
import { tabMarks } from '#lib/storage';
import { ButtonLink, Button, useCopied } from '#ui/button';
import { Logo } from '#ui/logo';
import { Spinner } from '#ui/spinner';

import { usePageIdentity } from '../page-identity.ts';
import { routeAt } from '../routes.ts';
import { forgetScreen, loadScreen, useScreen } from '../screens.ts';
import { loadChunk, isFixedByReload, reloadForChunks } from '../stale-chunks.ts';
import { Banners } from './banners.tsx';
import { SiteHeader } from './site-header.tsx';
import { SupportLink } from './support-link.tsx';
import { texts } from './texts.ts';

import accessStyles from '../access.module.css';
import styles from './shell.module.css';
import pageStyles from './whole-page.module.css';

/** After the page's own chunks and calls. */
const prefetchAfterMs = 2000;

// Not needed for the first paint of the website.
const TabBar = lazy(() =>
  loadChunk(() => import('./tab-bar.tsx')).then(({ TabBar: part }) => ({ default: part })),
);
const Questions = lazy(() =>
  loadChunk(() => import('./questions.tsx')).then(({ Questions: part }) => ({ default: part })),
);

const FooterLanguage =
  import.meta.env.NORI_LANGUAGES !== 'en' &&
  lazy(() =>
    loadChunk(() => import('./footer-language.tsx')).then(({ FooterLanguage: part }) => ({
      default: part,
    })),
  );

export function Shell() {
  const { container } = usePlatform();
  const { pathname } = useLocation();
  const route = routeAt(pathname);
  const isBare = route.isBare === true;
  const hasQuestion = useHasQuestion();
  usePageIdentity(route);
  usePrefetchedLogout();

  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {texts.skipToContent}
      </a>
      {container === 'web' && !isBare && <SiteHeader />}
      {!isBare && <Banners />}
      <main id="content" tabIndex={-1} className={styles.content}>
        <ErrorBoundary key={pathname} onError={() => forgetScreen(route)}>
          <Content route={route} />
        </ErrorBoundary>
      </main>
      {!isBare && <Foot />}
      {!isBare && <GenerationBadge />}
      {hasQuestion && (
        <Part>
          <Questions />
        </Part>
      )}
    </div>
  );
}

/** The website's footer, or Telegram's tab bar. */
function Foot() {
  const { container } = usePlatform();
  return container === 'web' ? (
    <SiteFooter />
  ) : (
    <Part>
      <TabBar />
    </Part>
  );
}

/** Memoized: a change around it would make React hydrate the screen at once, in one long task. */
const Content = memo(function Content({ route }: { readonly route: Route }) {
  return (
    <Suspense fallback={<Loading />}>
      <Guard route={route}>
        <Screen route={route} />
      </Guard>
    </Suspense>
  );
});

function Screen({ route }: { readonly route: Route }) {
  return createElement(useScreen(route), { loadSlot: route.loadSlot });
}

/** A part beside the page. If it breaks, the page still works. */
function Part({ children }: { readonly children: ReactNode }) {
  return (
    <ErrorBoundary isPart>
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  );
}

function Loading() {
  return (
    <div className={styles.loading}>
      <Spinner />
    </div>
  );
}

/** The website's footer. Memoized: a change around it would take the menu away until its chunk has loaded. */
const SiteFooter = memo(function SiteFooter() {
  return (
    <footer className={styles.footer}>
      <p>{texts.footer}</p>
      <ButtonLink kind="quiet" to={paths.privacyPolicy}>
        {titles.privacyPolicy}
      </ButtonLink>
      <SupportLink kind="quiet" />
      {FooterLanguage && (
        <Part>
          <FooterLanguage />
        </Part>
      )}
    </footer>
  );
});

/** How many pictures are being made, on every screen. */
function GenerationBadge() {
  const count = usePendingGenerations((state) => state.count);
  return (
    <output className={styles.badgePlace}>
      {count > 0 && (
        <span className={styles.badge}>
          <Spinner size="small" />
          {texts.generations(count)}
        </span>
      )}
    </output>
  );
}

/** Whether there is a question to show. */
function useHasQuestion(): boolean {
  const hasLogout = useLogoutQuestion((state) => state.isOpen);
  const hasPopup = usePopups((state) => state.questions.length > 0);
  return hasLogout || hasPopup;
}

/** Loads the logout dialog and the login screen ahead, so that logging out also works offline. */
function usePrefetchedLogout(): void {
  const isMember = useSession().status === 'member';

  useEffect(() => {
    const login = routeAt(paths.login);
    if (!isMember) {
      return undefined;
    }
    const timer = setTimeout(() => {
      // After a failure they are loaded again when they are needed.
      Promise.all([import('./questions.tsx'), loadScreen(login)]).catch(() => undefined);
    }, prefetchAfterMs);
    return () => clearTimeout(timer);
  }, [isMember]);
}

type Props = {
  readonly children: ReactNode;
  /** Called on an error that a reload does not fix. */
  readonly onError?: () => void;
  /** The children are not the page itself: nothing is shown in their place. */
  readonly isPart?: boolean;
};
type State = { readonly error: Error | undefined; readonly isReloading: boolean };

/** React catches render errors in class components only. */
class ErrorBoundary extends Component<Props, State> {
  override readonly state: State = { error: undefined, isReloading: false };

  static getDerivedStateFromError(thrown: unknown): State {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { error, isReloading: isFixedByReload(error) };
  }

  override componentDidCatch() {
    if (this.state.isReloading) {
      reloadForChunks();
    } else {
      this.props.onError?.();
    }
  }

  override render() {
    const { error, isReloading } = this.state;
    if (!error) {
      return this.props.children;
    }
    return isReloading || this.props.isPart ? null : <BrokenPage error={error} />;
  }
}

function BrokenPage({ error }: { readonly error: Error }) {
  const { pathname } = useLocation();
  const copyText = useCopyText();
  const { said, press } = useCopied(() =>
    // Without the query, which may contain a code.
    copyText(`${error.name}: ${error.message}\n${pathname}\n${new Date().toISOString()}`),
  );

  return (
    <div role="alert" className={pageStyles.page}>
      <Logo className={pageStyles.mascot} />
      <h1>{texts.brokenTitle}</h1>
      <p>{texts.brokenText}</p>
      <div className={pageStyles.actions}>
        <Button kind="primary" onClick={() => window.location.reload()}>
          {texts.reload}
        </Button>
        {/* Loads the page again instead of navigating, so that the broken state is gone. */}
        <Button onClick={() => window.location.assign(prefix || paths.home)}>{labels.home}</Button>
        <Button onClick={() => void press()}>{said ?? texts.copyDetails}</Button>
        <SupportLink />
      </div>
    </div>
  );
}

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
function Guard({ route, children }: GuardProps) {
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
    <div className={accessStyles.waiting}>
      <Spinner label={texts.signingIn} />
    </div>
  );
}
