/** The page that plays a video with a short-lived token. */
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

// The title is here and not in texts.ts, because every page loads this file.
export const playerRoutes = [
  {
    path: paths.video,
    access: 'public',
    title: 'JAV Video Player',
    load: () => import('./video-screen.tsx').then((screen) => screen.VideoScreen),
  },
] as const satisfies readonly Route[];
