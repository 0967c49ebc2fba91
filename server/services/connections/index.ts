/** Puts the services of linked accounts together. The rest of the server imports this module only from here. */
import { type Dependencies } from '#server/app/dependencies';
import { type Limiter } from '#server/services/limiter';
import { connectAniList } from '#server/upstream/connections/anilist';
import { connectSpotify } from '#server/upstream/connections/spotify';

import { createConnectionService } from './connections.ts';
import { createNowPlaying } from './now-playing.ts';
import { createServiceTokens } from './service-tokens.ts';

export function createConnections(deps: Dependencies, limiter: Limiter) {
  const timeoutMs = deps.serviceTimeoutMs;
  const spotify = deps.env.spotify && connectSpotify({ ...deps.env.spotify, timeoutMs });
  const anilist = deps.env.anilist && connectAniList({ ...deps.env.anilist, timeoutMs });
  const services = { spotify, anilist };
  const tokens = createServiceTokens(deps, services);
  return {
    connections: createConnectionService(deps, { limiter, services, tokens }),
    nowPlaying: createNowPlaying(deps, { tokens, spotify }),
  };
}

export * as connectionTextModule from './texts.ts';
export { createServiceTokens } from './service-tokens.ts';
