/** The routes of the app, in the order of the navigation. A new feature is one line here. */
import { aboutRoutes } from '#features/about';
import { accountRoutes } from '#features/account';
import { dashboardRoute } from '#features/chats';
import { commandRoutes } from '#features/commands';
import { connectionRoutes, loadConnectedAccounts } from '#features/connections';
import { gateRoutes } from '#features/gate';
import { homeRoutes } from '#features/home';
import { imageRoutes } from '#features/images';
import { playerRoutes } from '#features/player';
import { playgroundRoutes } from '#features/playground';
import { titles } from '#lib/page-texts';
import { type Route } from '#lib/route';

export const routes: readonly Route[] = [
  ...homeRoutes,
  { ...dashboardRoute, loadSlot: loadConnectedAccounts },
  ...commandRoutes,
  ...imageRoutes,
  ...playgroundRoutes,
  ...aboutRoutes,
  ...accountRoutes,
  ...connectionRoutes,
  ...playerRoutes,
  // Its built page has a script of its own and never loads the app.
  ...(import.meta.env.PROD && !import.meta.env.SSR ? [] : gateRoutes),
];

/** Shown at every other address. */
const notFound: Route = {
  path: '*',
  access: 'public',
  title: titles.notFound,
  load: () => import('./shell/not-found-screen.tsx').then((screen) => screen.NotFoundScreen),
};

/** The route at a path, without its query and its trailing slash. */
export function routeAt(pathname: string): Route {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname;
  return routes.find((route) => route.path === path) ?? notFound;
}
