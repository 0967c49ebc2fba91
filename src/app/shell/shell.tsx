/** The frame around every screen: navigation, banners, the page itself, and what floats above it. */
import { createElement, lazy, Suspense } from 'react';
import { useLocation } from 'react-router-dom';

import { usePlatform } from '#lib/platform';
import { type Route } from '#lib/route';
import { Spinner } from '#ui/spinner';

import { Guard } from '../access.tsx';
import { routeAt } from '../routes.ts';
import { useScreen } from '../screens.ts';
import { Banners } from './banners.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { GenerationBadge } from './generation-badge.tsx';
import { LogoutDialog } from './logout-dialog.tsx';
import { useNativeBack } from './native-back.ts';
import { NotFoundScreen } from './not-found-screen.tsx';
import { usePageIdentity } from './page-identity.ts';
import { PopupHost } from './popup-host.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import { texts } from './texts.ts';

import styles from './shell.module.css';

/** Only containers without a place for our header need it. */
const TabBar = lazy(() => import('./tab-bar.tsx').then(({ TabBar: Bar }) => ({ default: Bar })));

export function Shell() {
  const { container } = usePlatform();
  const { pathname } = useLocation();
  const route = routeAt(pathname);
  usePageIdentity(route);
  useNativeBack();

  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {texts.skipToContent}
      </a>
      {container === 'web' && <SiteHeader />}
      <Banners />
      <main id="content" tabIndex={-1} className={styles.content}>
        <ErrorBoundary key={pathname}>
          <Suspense fallback={<Loading />}>
            {route ? (
              <Guard access={route.access}>
                <Screen route={route} />
              </Guard>
            ) : (
              <NotFoundScreen />
            )}
          </Suspense>
        </ErrorBoundary>
      </main>
      {container === 'web' ? (
        <SiteFooter />
      ) : (
        <Suspense fallback={null}>
          <TabBar />
        </Suspense>
      )}
      <GenerationBadge />
      <LogoutDialog />
      <PopupHost />
    </div>
  );
}

function Screen({ route }: { readonly route: Route }) {
  return createElement(useScreen(route));
}

function Loading() {
  return (
    <div className={styles.loading}>
      <Spinner />
    </div>
  );
}
