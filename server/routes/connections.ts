/** Linked accounts, and the track that is playing. */
import { type Hono } from 'hono';

import {
  finishAniList,
  finishSpotify,
  listConnections,
  readNowPlaying,
  removeConnection,
  type ServiceId,
  startConnection,
} from '#contract/endpoints/connections';
import { type AppContext, type AppEnv } from '#server/http/app-env';
import { on, onUser } from '#server/http/on';
import { requireTelegramId } from '#server/http/requests';
import { limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';

export function addConnectionRoutes(
  app: Hono<AppEnv>,
  { connections, nowPlaying, limiter }: Pick<Services, 'connections' | 'nowPlaying' | 'limiter'>,
): void {
  onUser(app, listConnections, async (_input, c) => {
    const states = await connections.list(requireTelegramId(c));
    return {
      connections: states.map(({ service, state, accountName, linkedAt, endsAt, missing }) => ({
        service,
        state,
        missing: [...missing],
        account_name: accountName,
        linked_at: linkedAt === undefined ? undefined : new Date(linkedAt).toISOString(),
        ends_at: endsAt === undefined ? undefined : new Date(endsAt).toISOString(),
      })),
    };
  });

  onUser(app, startConnection, async ({ service }, c) => ({
    authorize_url: await connections.start(requireTelegramId(c), service, getOrigin(c)),
  }));

  onUser(app, removeConnection, async ({ service }, c) => {
    await connections.remove(requireTelegramId(c), service);
  });

  const finish =
    (service: ServiceId) =>
    async (answer: { readonly code: string; readonly state: string }, c: AppContext) => {
      await limiter.take(limits.addressReturns, c.get('address'));
      return { message: await connections.finish(service, answer, c.get('user')?.telegramId) };
    };
  on(app, finishSpotify, finish('spotify'));
  on(app, finishAniList, finish('anilist'));

  onUser(app, readNowPlaying, async ({ telegram_id }, c) => {
    const playing = await nowPlaying.read(requireTelegramId(c), telegram_id);
    return (
      playing && {
        track: playing.track,
        artist: playing.artist,
        album: playing.album,
        album_art_url: playing.albumArtUrl,
        progress_ms: playing.progressMs,
        duration_ms: playing.durationMs,
        is_playing: playing.isPlaying,
      }
    );
  });
}

/**
 * The origin of the page, for servers without a public address. Services do not redirect to
 * `localhost`, but to 127.0.0.1.
 */
function getOrigin(c: AppContext): string {
  const url = new URL(c.req.url);
  if (url.hostname === 'localhost') {
    url.hostname = '127.0.0.1';
  }
  return url.origin;
}
