/**
 * Everything that this feature shows: the page after a service, what is playing, and the part of the
 * dashboard. One chunk, as each is small, and as every page pays for the address of a chunk.
 */
export { CallbackScreen } from './callback.tsx';
export { ConnectedAccounts } from './connected-accounts.tsx';
export { NowPlayingScreen } from './now-playing.tsx';
