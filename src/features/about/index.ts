/** The routes of the credits and the privacy policy. */
import { descriptions, labels, titles } from '#lib/page-texts';
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

export const aboutRoutes = [
  {
    path: paths.credits,
    access: 'public',
    title: titles.credits,
    description: import.meta.env.SSR ? descriptions.credits : '',
    nav: { label: labels.credits, icon: 'heart' },
    load: () => import('./credits-screen.tsx').then((screen) => screen.CreditsScreen),
  },
  {
    path: paths.privacyPolicy,
    access: 'public',
    title: titles.privacyPolicy,
    description: import.meta.env.SSR ? descriptions.privacyPolicy : '',
    load: () => import('./privacy-screen.tsx').then((screen) => screen.PrivacyScreen),
  },
] as const satisfies readonly Route[];
