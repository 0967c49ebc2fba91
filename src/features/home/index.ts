/** The route of Home. */
import { descriptions, labels, titles } from '#lib/page-texts';
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

export const homeRoutes = [
  {
    path: paths.home,
    access: 'public',
    title: titles.home,
    description: import.meta.env.SSR ? descriptions.home : '',
    nav: { label: labels.home, icon: 'house' },
    load: () => import('./home-screen.tsx').then((screen) => screen.HomeScreen),
  },
] as const satisfies readonly Route[];
