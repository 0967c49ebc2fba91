/** The playground of the public API: try every endpoint from the page. */
import { descriptions, titles } from '#lib/page-texts';
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

export const playgroundRoutes = [
  {
    path: paths.api,
    access: 'public',
    title: titles.api,
    description: import.meta.env.SSR ? descriptions.api : '',
    nav: { label: titles.api, icon: 'terminal' },
    inner: ['endpoint'],
    load: () => import('./api-screen.tsx').then((screen) => screen.ApiScreen),
  },
] as const satisfies readonly Route[];
