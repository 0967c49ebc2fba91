/** The route of the image hub: making pictures, and browsing models. */
import { descriptions, labels, titles } from '#lib/page-texts';
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

export const imageRoutes = [
  {
    path: paths.models,
    access: 'public',
    title: titles.models,
    description: import.meta.env.SSR ? descriptions.models : '',
    nav: { label: labels.models, icon: 'image' },
    inner: ['view'],
    load: () => import('./hub-screen.tsx').then((screen) => screen.HubScreen),
  },
] as const satisfies readonly Route[];
