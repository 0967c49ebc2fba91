/** Linked accounts, and the track that is playing. */
import { type Hono } from 'hono';

import {
  confirmConnection,
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
import { getCaller, requireTelegramId, toMessage } from '#server/http/requests';
import { limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';
import { connectionTextModule } from '#services/connections';

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
    await connections.remove(requireTelegramId(c), service, getCaller(c));
  });

  const finish =
    (service: ServiceId) =>
    async (answer: { readonly code: string; readonly state: string }, c: AppContext) => {
      await limiter.take(limits.addressReturns, c.get('address'));
      const finished = await connections.finish(service, answer, readVisitor(c));
      return typeof finished === 'string'
        ? { message: finished }
        : {
            ...toMessage(c, (say) => say(connectionTextModule.connectionTexts).codeSent),
            needs_code: true as const,
            confirmation: finished.proof,
            telegram_user: finished.telegramUser,
          };
    };
  on(app, finishSpotify, finish('spotify'));
  on(app, finishAniList, finish('anilist'));

  on(app, confirmConnection, async ({ service, state, confirmation, otp_code: code }, c) => {
    await limiter.take(limits.addressCodes, c.get('address'));
    const given = { service, state, proof: confirmation, code };
    return { message: await connections.confirm({ ...given, ...readVisitor(c) }) };
  });

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

/** Who opened the page to which a service sent them back. */
function readVisitor(c: AppContext) {
  return { sessionUserId: c.get('user')?.telegramId, caller: getCaller(c) };
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
