/** A server with both services set up on their stand-ins, and the steps by which a person links one. */
import * as v from 'valibot';
import { onTestFinished } from 'vitest';

import {
  finishAniList,
  finishSpotify,
  listConnections,
  type ServiceId,
  startConnection,
} from '#contract/endpoints/connections';

import { startAnimeService } from './anime-service.ts';
import { startMusicService } from './music-service.ts';
import { createTestServer } from './server-kit.tsx';

type Options = {
  readonly musicSecret?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Milliseconds that services have to answer. */
  readonly serviceTimeoutMs?: number;
};

export const finishOf = { spotify: finishSpotify, anilist: finishAniList } as const;

export async function startConnecting({ musicSecret, variables, ...options }: Options = {}) {
  const music = await startMusicService(
    musicSecret === undefined ? {} : { clientSecret: musicSecret },
  );
  const anime = await startAnimeService();
  onTestFinished(async () => {
    await Promise.all([music.close(), anime.close()]);
  });
  const server = await createTestServer({
    ...options,
    variables: {
      PUBLIC_URL: 'https://nori.example.org',
      ...music.variables,
      ...anime.variables,
      ...variables,
    },
  });
  const services = { spotify: music, anilist: anime };

  /** The address at which the person is asked. */
  async function authorizeUrl(service: ServiceId, token: string): Promise<string> {
    const { body } = await server.call(startConnection, { service }, { token });
    return v.parse(startConnection.output, body).authorize_url;
  }

  return {
    server,
    music,
    anime,
    authorizeUrl,

    /** The person starts a link and says yes; answers what the service sends them back with. */
    agree: async (service: ServiceId, token: string) => {
      const { code, state } = services[service].agree(await authorizeUrl(service, token));
      return { code, state };
    },

    /** The person links an account, and comes back without a session. */
    link: async (service: ServiceId, token: string): Promise<void> => {
      const { code, state } = services[service].agree(await authorizeUrl(service, token));
      const { status } = await server.call(finishOf[service], { code, state });
      if (status !== 200) {
        throw new Error(`Linking ${service} answered ${status}`);
      }
    },

    /** What the dashboard is told of a service. */
    stateOf: async (service: ServiceId, token: string) => {
      const { body } = await server.call(listConnections, {}, { token });
      const { connections } = v.parse(listConnections.output, body);
      return connections.find((connection) => connection.service === service);
    },
  };
}
