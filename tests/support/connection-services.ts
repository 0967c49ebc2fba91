/** Stand-ins of Spotify and AniList, and the OAuth sign-in that both offer. */
import { createHash, randomBytes } from 'node:crypto';

import { type Answer, listen, type RecordedCall } from './stand-in-server.ts';

/** What a service takes down while the person decides. */
type SignIn = {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly scope: string;
  /** The hash of the verifier; absent without PKCE. */
  readonly challenge: string | undefined;
};

/** What the service sends a person back with. */
type WayBack = {
  readonly code: string;
  readonly state: string;
  readonly redirectUri: string;
};

type Redemption = {
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string | undefined;
};

/** `check` says what is wrong with a request for a sign-in, beside what is wrong everywhere. */
function createSignIns(
  label: string,
  clientId: string,
  check: (query: URLSearchParams) => string | undefined,
) {
  const codes = new Map<string, SignIn>();
  let areCodesExpired = false;

  function read(query: URLSearchParams): SignIn | string {
    const redirectUri = query.get('redirect_uri') ?? '';
    const wrong =
      query.get('response_type') !== 'code'
        ? 'response_type'
        : query.get('client_id') !== clientId
          ? 'client_id'
          : !/^(?:https:\/\/|http:\/\/127\.0\.0\.1[:/])/.test(redirectUri)
            ? 'redirect_uri'
            : check(query);
    return (
      wrong ?? {
        clientId,
        redirectUri,
        state: query.get('state') ?? '',
        scope: query.get('scope') ?? '',
        challenge: query.get('code_challenge') ?? undefined,
      }
    );
  }

  function codeFor(signIn: SignIn): string {
    const code = `code-of-${label.toLowerCase()}-${randomBytes(12).toString('hex')}`;
    codes.set(code, signIn);
    return code;
  }

  function parse(authorizeUrl: string): SignIn {
    const signIn = read(new URL(authorizeUrl).searchParams);
    if (typeof signIn === 'string') {
      throw new Error(`${label} would not ask anybody: ${signIn} is wrong in ${authorizeUrl}`);
    }
    return signIn;
  }

  return {
    /** The page that asks. With `answer=yes` or `answer=no` the person has answered. */
    page: (path: string): Answer => {
      const { searchParams, pathname } = new URL(path, 'http://stand-in');
      const signIn = read(searchParams);
      if (typeof signIn === 'string') {
        return { status: 400, body: { error: `invalid ${signIn}` } };
      }
      const answer = searchParams.get('answer');
      if (answer === null) {
        const link = (word: string) =>
          `${pathname}?${new URLSearchParams([...searchParams, ['answer', word]]).toString()}`;
        return {
          headers: { 'Content-Type': 'text/html; charset=utf-8' },
          body: `<!doctype html><html lang="en"><title>${label}</title><link rel="icon" href="data:,"><h1>Let Nori use your ${label} account?</h1>
            <a href="${escape(link('yes'))}">Agree</a> <a href="${escape(link('no'))}">Cancel</a></html>`,
        };
      }
      const back = new URL(signIn.redirectUri);
      if (answer === 'yes') {
        back.searchParams.set('code', codeFor(signIn));
      } else {
        back.searchParams.set('error', 'access_denied');
      }
      back.searchParams.set('state', signIn.state);
      return { status: 302, headers: { Location: back.toString() } };
    },

    /** The person agrees, without a browser. */
    agree: (authorizeUrl: string): WayBack => {
      const signIn = parse(authorizeUrl);
      return { code: codeFor(signIn), state: signIn.state, redirectUri: signIn.redirectUri };
    },

    /** From now on codes come too late. */
    expireCodes: () => {
      areCodesExpired = true;
    },

    /** Takes a code. Answers what is wrong with it, or nothing. */
    redeem: ({ code, redirectUri, verifier }: Redemption): string | undefined => {
      const signIn = codes.get(code);
      codes.delete(code);
      if (signIn === undefined || areCodesExpired) {
        return 'Invalid authorization code';
      }
      if (signIn.redirectUri !== redirectUri) {
        return 'Invalid redirect URI';
      }
      return signIn.challenge === undefined || signIn.challenge === toChallenge(verifier)
        ? undefined
        : 'code_verifier was incorrect';
    },
  };
}

function toChallenge(verifier = ''): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

const scope = 'user-read-currently-playing';
/** Seconds that an access token lives. */
const spotifyLifetimeS = 3600;
/** After its user's consent no refresh token lives longer, however often it is replaced. */
const consentMonths = 6;

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

type MusicOptions = {
  /** Makes the app a confidential client, which must show it. */
  readonly clientSecret?: string;
  readonly now?: () => number;
};

export async function startMusicService({ clientSecret, now = Date.now }: MusicOptions = {}) {
  const clientId = 'nori-at-spotify';
  const accessTokens = new Set<string>();
  /** Refresh token → when its user consented, in epoch milliseconds. */
  const refreshTokens = new Map<string, number>();
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
    consentedAt: number,
    refreshToken = `refresh-of-spotify-${randomBytes(16).toString('hex')}`,
  ): Answer {
    const accessToken = `access-of-spotify-${randomBytes(16).toString('hex')}`;
    accessTokens.add(accessToken);
    refreshTokens.set(refreshToken, consentedAt);
    return {
      body: {
        access_token: accessToken,
        token_type: 'Bearer',
        scope,
        expires_in: spotifyLifetimeS,
        refresh_token: refreshToken,
      },
    };
  }

  function isConsentOver(consentedAt: number): boolean {
    const end = new Date(consentedAt);
    end.setUTCMonth(end.getUTCMonth() + consentMonths);
    return now() >= end.getTime();
  }

  function token({ headers, body }: RecordedCall): Answer {
    const field = readFields(body);
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
      const consentedAt = refreshTokens.get(refreshToken);
      if (consentedAt === undefined || isConsentOver(consentedAt)) {
        return refused('Refresh token revoked');
      }
      if (doesRotate) {
        refreshTokens.delete(refreshToken);
        return makeTokens(consentedAt);
      }
      return makeTokens(consentedAt, refreshToken);
    }
    const wrong = signIns.redeem({
      code: field('code'),
      redirectUri: field('redirect_uri'),
      verifier: field('code_verifier'),
    });
    return wrong === undefined ? makeTokens(now()) : refused(wrong);
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
    /** From now on nothing is playing. */
    stop: () => {
      playing = undefined;
    },
    /** The access tokens that are out end; the refresh tokens stay. */
    endAccess: () => accessTokens.clear(),
    /** All users revoke the app's access, as in Spotify's account settings. */
    revokeAll: () => {
      accessTokens.clear();
      refreshTokens.clear();
    },
    /** From now on a refresh token stays good after its use, as for apps with a secret. */
    keepRefreshTokens: () => {
      doesRotate = false;
    },
    /** Every token that is good now. */
    tokens: () => [...accessTokens, ...refreshTokens.keys()],
  };
}

function refused(description: string): Answer {
  return { status: 400, body: { error: 'invalid_grant', error_description: description } };
}

/** Reads the fields of a body one by one; what is not there is empty. */
function readFields(body: unknown): (name: string) => string {
  const fields = new Map<string, unknown>(Object.entries(Object(body)));
  return (name) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : '';
  };
}

/** A year: AniList's tokens cannot be renewed. */
const aniListLifetimeS = 31_536_000;

export async function startAnimeService() {
  const clientId = '4711';
  const clientSecret = 'secret-of-nori-at-anilist';
  const accessTokens = new Set<string>();
  const viewer = 'mika_watches';

  const signIns = createSignIns('AniList', clientId, (query) =>
    query.has('scope') || query.has('code_challenge') ? 'scope or code_challenge' : undefined,
  );

  function token({ body }: RecordedCall): Answer {
    const field = readFields(body);
    if (field('client_id') !== clientId || field('client_secret') !== clientSecret) {
      return {
        status: 401,
        body: { error: 'invalid_client', message: 'Client authentication failed' },
      };
    }
    const wrong =
      field('grant_type') === 'authorization_code'
        ? signIns.redeem({
            code: field('code'),
            redirectUri: field('redirect_uri'),
            verifier: undefined,
          })
        : 'unsupported_grant_type';
    if (wrong !== undefined) {
      return { status: 400, body: { error: 'invalid_grant', message: wrong } };
    }
    const accessToken = `access-of-anilist-${randomBytes(16).toString('hex')}`;
    accessTokens.add(accessToken);
    return {
      body: { token_type: 'Bearer', expires_in: aniListLifetimeS, access_token: accessToken },
    };
  }

  const standIn = await listen((call) => {
    const { method, path, headers } = call;
    if (method === 'GET' && path.startsWith('/api/v2/oauth/authorize?')) {
      return signIns.page(path);
    }
    if (method === 'POST' && path === '/api/v2/oauth/token') {
      return token(call);
    }
    if (method === 'POST' && path === '/graphql') {
      return accessTokens.has((headers.authorization ?? '').replace('Bearer ', ''))
        ? { body: { data: { Viewer: { name: viewer } } } }
        : {
            status: 400,
            body: { errors: [{ message: 'Invalid token', status: 400 }], data: null },
          };
    }
    return { status: 404, body: {} };
  });

  return {
    ...standIn,
    variables: {
      ANILIST_CLIENT_ID: clientId,
      ANILIST_CLIENT_SECRET: clientSecret,
      ANILIST_ROOT: standIn.url,
      ANILIST_API_ROOT: `${standIn.url}/graphql`,
    },
    /** What the person is called there. */
    viewer,
    agree: signIns.agree,
    expireCodes: signIns.expireCodes,
    tokens: () => [...accessTokens],
  };
}
