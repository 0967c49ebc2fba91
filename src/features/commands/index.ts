/** The route of the features page. */
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

// Titles are written here, as every page loads this file and few pages load the other texts.
export const commandRoutes = [
  {
    path: paths.features,
    access: 'public',
    title: 'Features',
    description: import.meta.env.SSR
      ? 'Every command of the bot, with a search: moderation, anime, downloads, inline.'
      : '',
    nav: { label: 'Features', order: 3, icon: 'book', audience: 'everyone' },
    load: () => import('./features-screen.tsx').then((screen) => screen.FeaturesScreen),
  },
] as const satisfies readonly Route[];
