/** The route of the features page. */
import { descriptions, titles } from '#lib/page-texts';
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

export const commandRoutes = [
  {
    path: paths.features,
    access: 'public',
    title: titles.features,
    description: import.meta.env.SSR ? descriptions.features : '',
    nav: { label: titles.features, icon: 'book' },
    load: () => import('./features-screen.tsx').then((screen) => screen.FeaturesScreen),
  },
] as const satisfies readonly Route[];
