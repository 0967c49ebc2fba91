/** A server with both services set up on their stand-ins, and the steps by which a person links one. */
import * as v from 'valibot';
import { onTestFinished } from 'vitest';

import {
  finishAniList,
  finishSpotify,
  listConnections,
  readNowPlaying,
  type ServiceId,
  startConnection,
} from '#contract/endpoints/connections';
import { type Database } from '#server/db/client';

import { type BotApi } from './bot-api-server.ts';
import { startAnimeService, startMusicService } from './connection-services.ts';
import { createTestServer, type Reply } from './test-server.ts';

type Options = {
  readonly musicSecret?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Milliseconds that services have to answer. */
  readonly serviceTimeoutMs?: number;
  readonly database?: Database;
  readonly bot?: { readonly api: BotApi };
};

/** Who links accounts in tests. */
export const ann = 111_222_333;

export const finishCalls = { spotify: finishSpotify, anilist: finishAniList } as const;

const unconfirmed = v.object({
  needs_code: v.literal(true),
  confirmation: v.string(),
  telegram_user: v.string(),
});

/** What a page without a session is told; throws when the account is linked already. */
export const readUnconfirmed = ({ body }: Reply) => v.parse(unconfirmed, body);

export async function startConnecting({ musicSecret, variables, ...options }: Options = {}) {
  const clock = { now: Date.now };
  const music = await startMusicService({
    ...(musicSecret === undefined ? {} : { clientSecret: musicSecret }),
    now: () => clock.now(),
  });
  const anime = await startAnimeService();
  onTestFinished(async () => {
    await Promise.all([music.close(), anime.close()]);
  });
  const start = async (more: Pick<Options, 'database' | 'bot' | 'variables'> = {}) =>
    createTestServer({
      ...options,
      ...more,
      variables: {
        PUBLIC_URL: 'https://nori.example.org',
        ...music.variables,
        ...anime.variables,
        ...variables,
        ...more.variables,
      },
    });
  const server = await start();
  clock.now = server.now;
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

    /** A second process of the same server. */
    startAgain: (more: Pick<Options, 'bot' | 'variables'> = {}) =>
      start({ database: server.database, ...more }),

    /** The person links an account in the browser in which they are logged in. */
    link: async (service: ServiceId, token: string): Promise<void> => {
      const { code, state } = services[service].agree(await authorizeUrl(service, token));
      const { status } = await server.call(finishCalls[service], { code, state }, { token });
      if (status !== 200) {
        throw new Error(`Linking ${service} answered ${status}`);
      }
    },

    /** What the dashboard is told of a service. */
    readState: async (service: ServiceId, token: string) => {
      const { body } = await server.call(listConnections, {}, { token });
      const { connections } = v.parse(listConnections.output, body);
      return connections.find((connection) => connection.service === service);
    },
  };
}

/** Ann has linked Spotify and listens to something. */
export async function startLinked(options: Options = {}) {
  const world = await startConnecting(options);
  const { server, music, link } = world;
  music.play();
  const token = await server.signUp(ann);
  await link('spotify', token);
  return {
    ...world,
    token,
    /** Asks what plays, as the page does again and again. */
    poll: (on = server) => on.call(readNowPlaying, { telegram_id: String(ann) }, { token }),
    /** How often Spotify was asked what plays. */
    glances: () => music.callsTo('GET /v1/*').length,
    /** Every time that Spotify was asked to renew a token. */
    renewals: () =>
      music
        .callsTo('POST /api/token')
        .filter(({ body }) => JSON.stringify(body).includes('"refresh_token"')),
  };
}
