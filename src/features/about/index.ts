/** The routes of the credits and the privacy policy. */
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

// Titles are written here, as every page loads this file and few pages load the other texts.
export const aboutRoutes = [
  {
    path: paths.credits,
    access: 'public',
    title: 'Models and credits',
    description: import.meta.env.SSR
      ? 'Whose pictures, data and open-source work this stands on.'
      : '',
    nav: { label: 'Credits', order: 6, icon: 'heart', audience: 'everyone' },
    load: () => import('./credits-screen.tsx').then((screen) => screen.CreditsScreen),
  },
  {
    path: paths.privacyPolicy,
    access: 'public',
    title: 'Privacy Policy',
    description: import.meta.env.SSR
      ? 'What is kept about you, what for, and how to have it deleted.'
      : '',
    load: () => import('./privacy-screen.tsx').then((screen) => screen.PrivacyScreen),
  },
] as const satisfies readonly Route[];
