/** The page that plays a video by a short-lived token. */
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

// Its words stand here and not in texts.ts: every page loads this file, and few need the rest.
export const playerRoutes = [
  {
    path: paths.video,
    access: 'public',
    title: 'JAV Video Player',
    load: () => import('./video-screen.tsx').then((screen) => screen.VideoScreen),
  },
] as const satisfies readonly Route[];
