/** The route of Home. */
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

export const homeRoutes = [
  {
    path: paths.home,
    access: 'public',
    title: 'The bot your group chat was missing',
    description: import.meta.env.SSR
      ? 'Moderate topics, make art, look things up inline. Set up your bot here, in Telegram or in any browser.'
      : '',
    nav: { label: 'Home', order: 1, icon: 'house', audience: 'everyone' },
    load: () => import('./home-screen.tsx').then((screen) => screen.HomeScreen),
  },
] as const satisfies readonly Route[];
