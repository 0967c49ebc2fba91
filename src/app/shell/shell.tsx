/** The frame around every screen: navigation, banners, the page itself, and what floats above it. */
import { createElement, lazy, type ReactNode, Suspense } from 'react';
import { useLocation } from 'react-router-dom';

import { usePlatform } from '#lib/platform';
import { type Route } from '#lib/route';
import { Spinner } from '#ui/spinner';

import { Guard } from '../access.tsx';
import { routeAt } from '../routes.ts';
import { forgetScreen, useScreen } from '../screens.ts';
import { loadChunk } from '../stale-chunks.ts';
import { Banners } from './banners.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { GenerationBadge } from './generation-badge.tsx';
import { useIsAsking } from './is-asking.ts';
import { usePageIdentity } from './page-identity.ts';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import { texts } from './texts.ts';
import { useWayOut } from './way-out.ts';

import styles from './shell.module.css';

// What the first page does not show comes after it.
const TabBar = lazy(() =>
  loadChunk(() => import('./tab-bar.tsx')).then(({ TabBar: part }) => ({ default: part })),
);
const Questions = lazy(() =>
  loadChunk(() => import('./questions.tsx')).then(({ Questions: part }) => ({ default: part })),
);

export function Shell() {
  const { container } = usePlatform();
  const { pathname } = useLocation();
  const route = routeAt(pathname);
  const isAsking = useIsAsking();
  usePageIdentity(route);
  useWayOut();

  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {texts.skipToContent}
      </a>
      {container === 'web' && <SiteHeader />}
      <Banners />
      <main id="content" tabIndex={-1} className={styles.content}>
        <ErrorBoundary key={pathname} onBreak={() => forgetScreen(route)}>
          <Suspense fallback={<Loading />}>
            <Guard access={route.access}>
              <Screen route={route} />
            </Guard>
          </Suspense>
        </ErrorBoundary>
      </main>
      {container === 'web' ? (
        <SiteFooter />
      ) : (
        <Part>
          <TabBar />
        </Part>
      )}
      <GenerationBadge />
      {isAsking && (
        <Part>
          <Questions />
        </Part>
      )}
    </div>
  );
}

function Screen({ route }: { readonly route: Route }) {
  return createElement(useScreen(route));
}

/** Something beside the page, which lives on without it. */
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
