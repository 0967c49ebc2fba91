/** A stand-in for Spotify: signs people in with PKCE, renews tokens, and tells what plays. Works in every kind of test. */
import { randomBytes } from 'node:crypto';

import { createSignIns } from './sign-in-stand-in.ts';
import { type Answer, listen, type RecordedCall } from './stand-in-server.ts';

const scope = 'user-read-currently-playing';
/** Seconds that an access token lives. */
const lifetimeS = 3600;

export const nightDrive = {
  is_playing: true,
  progress_ms: 61_000,
  currently_playing_type: 'track',
  item: {
    type: 'track',
    name: 'Night Drive',
    duration_ms: 215_000,
    artists: [{ name: 'The Lanterns' }, { name: 'Mira' }],
    album: {
      name: 'Neon Rivers',
      images: [{ url: 'https://i.scdn.co/image/neon-rivers', width: 640, height: 640 }],
    },
  },
} as const;

/** `clientSecret` makes the app a confidential client, which must show it. */
export async function startMusicService({ clientSecret }: { readonly clientSecret?: string } = {}) {
  const clientId = 'nori-at-spotify';
  const accessTokens = new Set<string>();
  const refreshTokens = new Set<string>();
  let doesRotate = true;
  let playing: unknown;

  const signIns = createSignIns('Spotify', clientId, (query) =>
    query.get('code_challenge_method') !== 'S256'
      ? 'code_challenge_method'
      : /^[\w-]{43}$/.test(query.get('code_challenge') ?? '')
        ? undefined
        : 'code_challenge',
  );

  function makeTokens(
    refreshToken = `refresh-of-spotify-${randomBytes(16).toString('hex')}`,
  ): Answer {
    const accessToken = `access-of-spotify-${randomBytes(16).toString('hex')}`;
    accessTokens.add(accessToken);
    refreshTokens.add(refreshToken);
    return {
      body: {
        access_token: accessToken,
        token_type: 'Bearer',
        scope,
        expires_in: lifetimeS,
        refresh_token: refreshToken,
      },
    };
  }

  function token({ headers, body }: RecordedCall): Answer {
    const field = fieldsOf(body);
    const basic = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
    if (
      field('client_id') !== clientId ||
      (clientSecret !== undefined && headers.authorization !== basic)
    ) {
      return {
        status: 400,
        body: { error: 'invalid_client', error_description: 'Invalid client' },
      };
    }
    if (headers['content-type']?.startsWith('application/x-www-form-urlencoded') !== true) {
      return { status: 415, body: { error: 'invalid_request' } };
    }
    if (field('grant_type') === 'refresh_token') {
      const refreshToken = field('refresh_token');
      if (!refreshTokens.has(refreshToken)) {
        return refused('Refresh token revoked');
      }
      if (doesRotate) {
        refreshTokens.delete(refreshToken);
        return makeTokens();
      }
      return makeTokens(refreshToken);
    }
    const wrong = signIns.redeem({
      code: field('code'),
      redirectUri: field('redirect_uri'),
      verifier: field('code_verifier'),
    });
    return wrong === undefined ? makeTokens() : refused(wrong);
  }

  const standIn = await listen((call) => {
    const { method, path, headers } = call;
    if (method === 'GET' && path.startsWith('/authorize?')) {
      return signIns.page(path);
    }
    if (method === 'POST' && path === '/api/token') {
      return token(call);
    }
    if (method === 'GET' && path.startsWith('/v1/me/player/currently-playing')) {
      return accessTokens.has((headers.authorization ?? '').replace('Bearer ', ''))
        ? playing === undefined
          ? { status: 204, body: '' }
          : { body: playing }
        : { status: 401, body: { error: { status: 401, message: 'The access token expired' } } };
    }
    return { status: 404, body: { error: { status: 404, message: 'Service not found' } } };
  });

  return {
    ...standIn,
    variables: {
      SPOTIFY_CLIENT_ID: clientId,
      ...(clientSecret === undefined ? {} : { SPOTIFY_CLIENT_SECRET: clientSecret }),
      SPOTIFY_ACCOUNTS_ROOT: standIn.url,
      SPOTIFY_API_ROOT: standIn.url,
    },
    agree: signIns.agree,
    expireCodes: signIns.expireCodes,
    /** What everybody listens to from now on, as Spotify's API says it. */
    play: (what: unknown = nightDrive) => {
      playing = what;
    },
    /** Nobody listens to anything from now on. */
    stop: () => {
      playing = undefined;
    },
    /** The access tokens that are out end; the refresh tokens stay. */
    endAccess: () => accessTokens.clear(),
    /** Everybody takes the app's rights back, as in Spotify's account settings. */
    takeBack: () => {
      accessTokens.clear();
      refreshTokens.clear();
    },
    /** From now on a refresh token stays good after its use, as for apps with a secret. */
    keepRefreshTokens: () => {
      doesRotate = false;
    },
    /** Every token that is good now. */
    tokens: () => [...accessTokens, ...refreshTokens],
  };
}

function refused(description: string): Answer {
  return { status: 400, body: { error: 'invalid_grant', error_description: description } };
}

/** Reads the fields of a body one by one; what is not there is empty. */
export function fieldsOf(body: unknown): (name: string) => string {
  const fields = new Map<string, unknown>(Object.entries(Object(body)));
  return (name) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : '';
  };
}
