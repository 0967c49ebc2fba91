/** Accounts of other services: linking them, returning from there, and what is playing. */
import { titles } from '#lib/page-texts';
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

const load = () => import('./connections-screen.tsx');
const loadCallback = () => load().then((screen) => screen.CallbackScreen);

/** The section of the dashboard in which accounts are linked. */
export const loadConnectedAccounts = () => load().then((screen) => screen.ConnectedAccounts);

export const connectionRoutes = [
  { path: paths.spotifyAuth, access: 'public', title: titles.spotifyAuth, load: loadCallback },
  { path: paths.anilistAuth, access: 'public', title: titles.anilistAuth, load: loadCallback },
  {
    path: paths.nowPlaying,
    access: 'public',
    title: titles.nowPlaying,
    load: () => load().then((screen) => screen.NowPlayingScreen),
  },
] as const satisfies readonly Route[];
