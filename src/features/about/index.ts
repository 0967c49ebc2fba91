/** About the product: who and what it is made of, and what it knows of people. */
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

// Its words stand here and not in texts.ts: every page loads this file, and few need the rest.
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
