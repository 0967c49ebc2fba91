/** The page that plays a video with a short-lived token. */
import { titles } from '#lib/page-texts';
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

export const playerRoutes = [
  {
    path: paths.video,
    access: 'public',
    title: titles.video,
    load: () => import('./video-screen.tsx').then((screen) => screen.VideoScreen),
  },
] as const satisfies readonly Route[];
