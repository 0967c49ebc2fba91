/** The image hub: making pictures, and browsing what they can be made with. */
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

// Its words stand here and not in the texts: every page loads this file, and few need the rest.
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
