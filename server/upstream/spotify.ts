/** Spotify: linking an account (authorization code with PKCE), and what is playing there. */
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';

import { askService, type OAuthService, type Tokens, unavailable } from './oauth.ts';

export type SpotifySettings = {
  readonly clientId: string;
  /** With a secret the server is a confidential client; PKCE is used with or without it. */
  readonly clientSecret: string | undefined;
  /** Default https://accounts.spotify.com. */
  readonly accountsRoot: string;
  /** Default https://api.spotify.com. */
  readonly apiRoot: string;
};

/** What the person listens to. Milliseconds. */
export type Playing = {
  readonly track: string;
  readonly artist: string;
  readonly album: string;
  readonly albumArtUrl: string;
  readonly progressMs: number;
  readonly durationMs: number;
  readonly isPlaying: boolean;
};

export type Spotify = OAuthService & {
  /**
   * Undefined when nothing plays. Throws `connection_expired` when the token is not taken (any more),
   * `connection_refused` when the account may not use this app, `service_unavailable` otherwise.
   */
  readonly nowPlaying: (accessToken: string) => Promise<Playing | undefined>;
};

const label = 'Spotify';
/** All that is asked for: one glance at what plays. */
const scope = 'user-read-currently-playing';

const tokenAnswer = v.object({
  access_token: v.pipe(v.string(), v.nonEmpty()),
  refresh_token: v.optional(v.pipe(v.string(), v.nonEmpty())),
  expires_in: v.optional(v.pipe(v.number(), v.minValue(1))),
});

const name = v.pipe(
  v.optional(v.nullable(v.string()), ''),
  v.transform((text) => text ?? ''),
);
const images = v.optional(v.nullable(v.array(v.object({ url: v.pipe(v.string(), v.url()) }))));
const milliseconds = v.pipe(
  v.optional(v.nullable(v.number()), 0),
  v.transform((ms) => Math.max(0, Math.round(ms ?? 0))),
);

/** A track or an episode; of advertisements and unknown things the item is null. */
const playingAnswer = v.object({
  is_playing: v.optional(v.boolean(), true),
  progress_ms: milliseconds,
  item: v.optional(
    v.nullable(
      v.object({
        name: v.pipe(v.string(), v.nonEmpty()),
        duration_ms: milliseconds,
        artists: v.optional(v.nullable(v.array(v.object({ name })))),
        album: v.optional(v.nullable(v.object({ name, images }))),
        show: v.optional(v.nullable(v.object({ name, publisher: name, images }))),
        images,
      }),
    ),
  ),
});

export function connectSpotify({
  clientId,
  clientSecret,
  accountsRoot,
  apiRoot,
}: SpotifySettings): Spotify {
  async function token(fields: Readonly<Record<string, string>>): Promise<Tokens> {
    const { status, body } = await askService(label, {
      url: `${accountsRoot}/api/token`,
      method: 'POST',
      headers: {
        Accept: 'application/json',
        ...(clientSecret === undefined
          ? {}
          : { Authorization: `Basic ${basic(clientId, clientSecret)}` }),
      },
      body: new URLSearchParams({ ...fields, client_id: clientId }),
    });
    if (status !== 200) {
      throw new AppError('connection_refused', { detail: refusalOf(body) });
    }
    const parsed = v.safeParse(tokenAnswer, body);
    if (!parsed.success) {
      throw unavailable(label);
    }
    const { access_token, refresh_token, expires_in } = parsed.output;
    return { accessToken: access_token, refreshToken: refresh_token, lifetimeS: expires_in };
  }

  return {
    id: 'spotify',

    authorizeUrl: ({ state, challenge, redirectUri }) =>
      `${accountsRoot}/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        scope,
        redirect_uri: redirectUri,
        state,
        code_challenge_method: 'S256',
        code_challenge: challenge,
      }).toString()}`,

    exchange: ({ code, verifier, redirectUri }) =>
      token({
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: redirectUri,
      }),

    refresh: async (refreshToken) => {
      try {
        return await token({ grant_type: 'refresh_token', refresh_token: refreshToken });
      } catch (error) {
        if (error instanceof AppError && error.code === 'connection_refused') {
          throw new AppError('connection_lost');
        }
        throw error;
      }
    },

    // The name would need another scope, and only the music is asked for.
    accountName: () => Promise.resolve(undefined),

    nowPlaying: async (accessToken) => {
      const { status, body } = await askService(label, {
        url: `${apiRoot}/v1/me/player/currently-playing?additional_types=track,episode`,
        headers: { Authorization: `Bearer ${accessToken}`, Accept: 'application/json' },
      });
      if (status === 401) {
        throw new AppError('connection_expired');
      }
      if (status === 403) {
        throw new AppError('connection_refused', {
          detail: 'Spotify does not let this account use the app. Ask whoever runs Nori to add it.',
        });
      }
      if (status === 204 || body === undefined) {
        return undefined;
      }
      const parsed = v.safeParse(playingAnswer, body);
      if (status !== 200 || !parsed.success) {
        throw unavailable(label);
      }
      return playingOf(parsed.output);
    },
  };
}

function playingOf({
  item,
  is_playing,
  progress_ms,
}: v.InferOutput<typeof playingAnswer>): Playing | undefined {
  if (!item) {
    return undefined;
  }
  const { artists, album, show } = item;
  const art = [album?.images, show?.images, item.images].find((list) => (list?.length ?? 0) > 0);
  const names = artists?.map((artist) => artist.name).join(', ');
  return {
    track: item.name,
    artist: firstOf(names, show?.publisher),
    album: firstOf(album?.name, show?.name),
    albumArtUrl: firstOf(art?.[0]?.url),
    progressMs: Math.min(progress_ms, item.duration_ms),
    durationMs: item.duration_ms,
    isPlaying: is_playing,
  };
}

/** The first text that there is; empty when there is none. */
function firstOf(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text !== '') ?? '';
}

function basic(clientId: string, secret: string): string {
  const encoded = [clientId, secret].map((part) => encodeURIComponent(part)).join(':');
  return Buffer.from(encoded).toString('base64');
}

/** Spotify's own word is for developers; only an expired code is something that people can mend. */
function refusalOf(body: unknown): string {
  return v.is(v.object({ error: v.literal('invalid_grant') }), body)
    ? 'Spotify says that this sign-in has expired. Please start again from Nori.'
    : 'Spotify refused the sign-in. Please start again from Nori.';
}
