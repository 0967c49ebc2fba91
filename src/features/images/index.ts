/** The route of the image hub: making pictures, and browsing models. */
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

// The texts are here, as every page loads this file and only the hub loads the others.
export const imageRoutes = [
  {
    path: paths.models,
    access: 'public',
    title: 'AI Models',
    description: import.meta.env.SSR
      ? 'Browse and generate AI images with models: hundreds of models and LoRAs, one history.'
      : '',
    nav: { label: 'Models', order: 4, icon: 'image', audience: 'everyone' },
    inner: ['view'],
    load: () => import('./hub-screen.tsx').then((screen) => screen.HubScreen),
  },
] as const satisfies readonly Route[];
