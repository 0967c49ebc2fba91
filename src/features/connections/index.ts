/** Accounts of other services: linking them, returning from there, and what is playing. */
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

const load = () => import('./connections-screen.tsx');
const loadCallback = () => load().then((screen) => screen.CallbackScreen);

/** The section of the dashboard in which accounts are linked. */
export const loadConnectedAccounts = () => load().then((screen) => screen.ConnectedAccounts);

// The titles are here and not in texts.ts, because every page loads this file.
export const connectionRoutes = [
  { path: paths.spotifyAuth, access: 'public', title: 'Connect Spotify', load: loadCallback },
  { path: paths.anilistAuth, access: 'public', title: 'Connect AniList', load: loadCallback },
  {
    path: paths.nowPlaying,
    access: 'public',
    title: 'Now playing',
    load: () => load().then((screen) => screen.NowPlayingScreen),
  },
] as const satisfies readonly Route[];
