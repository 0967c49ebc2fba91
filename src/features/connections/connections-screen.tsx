/** All components of this feature in one chunk: each is small, and every page loads the URL of every chunk. */
export { CallbackScreen } from './callback.tsx';
export { ConnectedAccounts } from './connected-accounts.tsx';
export { NowPlayingScreen } from './now-playing.tsx';
