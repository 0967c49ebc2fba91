/** The catalogue of the bot's commands. */
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

// Its words stand here and not in texts.ts: every page loads this file, and few need the rest.
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
