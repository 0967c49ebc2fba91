/** The playground of the public API: try every endpoint from the page. */
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

// The title is here and not in texts.ts, because every page loads this file.
export const playgroundRoutes = [
  {
    path: paths.api,
    access: 'public',
    title: 'API',
    description: import.meta.env.SSR
      ? 'Try the bot’s public API from the page: pictures, anime, downloads, text to speech.'
      : '',
    nav: { label: 'API', order: 5, icon: 'terminal', audience: 'everyone' },
    inner: ['endpoint'],
    load: () => import('./api-screen.tsx').then((screen) => screen.ApiScreen),
  },
] as const satisfies readonly Route[];
