/** The frame around every screen: navigation, banners, the page itself, and the parts above it. */
import { createElement, lazy, memo, type ReactNode, Suspense, useEffect } from 'react';
import { useLocation } from 'react-router-dom';

import { useLogoutQuestion } from '#lib/logout';
import { titles } from '#lib/page-texts';
import { paths } from '#lib/paths';
import { usePendingGenerations } from '#lib/pending';
import { usePlatform } from '#lib/platform';
import { usePopups } from '#lib/popup';
import { type Route } from '#lib/route';
import { useSession } from '#lib/session';
import { ButtonLink } from '#ui/button';
import { Spinner } from '#ui/spinner';

import { Guard } from '../access.tsx';
import { usePageIdentity } from '../page-identity.ts';
import { routeAt } from '../routes.ts';
import { forgetScreen, loadScreen, useScreen } from '../screens.ts';
import { loadChunk } from '../stale-chunks.ts';
import { Banners } from './banners.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { SiteHeader } from './site-header.tsx';
import { SupportLink } from './support-link.tsx';
import { texts } from './texts.ts';

import styles from './shell.module.css';

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
