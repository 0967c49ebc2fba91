/** The door of this module: what the rest of the server may use of it. */
export { createConnections, type Connections } from './connections.ts';
export { createNowPlaying, type NowPlayingService } from './now-playing.ts';
export { createServiceTokens } from './service-tokens.ts';
