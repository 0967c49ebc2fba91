/** Starts the app: launch data, theme, page. */
import { startTransition, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';

import { App } from '#app';
import { boot } from '#lib/boot';
import { loadCurrentUser } from '#lib/current-user';
import { prefix } from '#lib/paths';
import { createQueryClient } from '#lib/query-client';
import { startTheme } from '#lib/theme';

import { routeAt } from './app/routes.ts';
import { loadScreen } from './app/screens.ts';
import { startSessionPolicy } from './app/session-policy.ts';

const queryClient = createQueryClient();
startSessionPolicy(queryClient);

async function start(): Promise<void> {
  // Before the router reads the address: the launch data is in the hash.
  const settled = boot();
  startTheme();

  const container = document.getElementById('root');
  if (!container) {
    throw new Error('The page has no #root');
  }
  const app = (
    <StrictMode>
      <App queryClient={queryClient} />
    </StrictMode>
  );
  const { pathname } = window.location;
  const path = prefix === '' ? pathname : pathname.slice(prefix.length) || '/';
  // The prerendered page is visible meanwhile. The shell reports a screen that cannot be loaded.
  await loadScreen(routeAt(path)).catch(() => undefined);
  if (container.dataset['path'] === path) {
    // In slices, between which the browser can paint and answer the user.
    startTransition(() => void hydrateRoot(container, app));
  } else {
    container.replaceChildren();
    createRoot(container).render(app);
  }
  // What was typed and pressed meanwhile is repeated now; see scripts/lib/early-input.ts.
  dispatchEvent(new Event('hydrate'));

  await settled;
  // The specification ignores errors here. A 401 has already ended the session.
  await loadCurrentUser().catch(() => undefined);
}

// In a task of its own: evaluating the bundle has just taken one.
setTimeout(() => void start());
