/** Spotify: linking an account (authorization code with PKCE), and what is playing there. */
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';

import {
  askService,
  type OAuthService,
  refusalOf,
  serviceVariables,
  type Tokens,
  unavailable,
} from './oauth.ts';

export type SpotifySettings = {
  readonly clientId: string;
  /** With a secret the server is a confidential client; PKCE is used with or without it. */
  readonly clientSecret: string | undefined;
  /** Default https://accounts.spotify.com. */
  readonly accountsRoot: string;
  /** Default https://api.spotify.com. */
  readonly apiRoot: string;
  /** Milliseconds until an answer must be there; ten seconds when absent. */
  readonly timeoutMs?: number | undefined;
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
   * What plays, or that nothing does, or that the token is refused. Throws `account_not_allowed`,
   * `service_busy` with the time to wait, and `service_unavailable`.
   */
  readonly nowPlaying: (accessToken: string) => Promise<Playing | 'nothing' | 'token refused'>;
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
/** Pictures elsewhere than on HTTPS are none. */
const images = v.pipe(
  v.optional(v.nullable(v.array(v.object({ url: v.string() })))),
  v.transform((list) => list?.map(({ url }) => url).filter((url) => /^https:\/\/[^/]/.test(url))),
);
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
        name,
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
  timeoutMs,
}: SpotifySettings): Spotify {
  async function token(fields: Readonly<Record<string, string>>): Promise<Tokens> {
    const reply = await askService(label, {
      url: `${accountsRoot}/api/token`,
      method: 'POST',
      headers: {
        Accept: 'application/json',
        ...(clientSecret === undefined
          ? {}
          : { Authorization: `Basic ${basic(clientId, clientSecret)}` }),
      },
      body: new URLSearchParams({ ...fields, client_id: clientId }),
      timeoutMs,
    });
    if (reply.status !== 200) {
      throw refusalOf(label, reply, [...serviceVariables.spotify, 'SPOTIFY_CLIENT_SECRET']);
    }
    const parsed = v.safeParse(tokenAnswer, reply.body);
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
        // Or whoever has agreed before would be linked by opening a link that somebody sends them.
        show_dialog: 'true',
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
        // What is wrong with the server's own keys says nothing about the person's link.
        throw error;
      }
    },

    // The name would need another scope, and only the music is asked for.
    accountName: () => Promise.resolve(undefined),

    nowPlaying: async (accessToken) => {
      const { status, body, isEmpty } = await askService(label, {
        url: `${apiRoot}/v1/me/player/currently-playing?additional_types=track,episode`,
        headers: { Authorization: `Bearer ${accessToken}`, Accept: 'application/json' },
        timeoutMs,
      });
      if (status === 401) {
        return 'token refused';
      }
      if (status === 403) {
        throw new AppError('account_not_allowed', {
          detail: 'Spotify does not let this account use the app. Ask whoever runs Nori to add it.',
        });
      }
      if (status === 204 || (status === 200 && isEmpty)) {
        return 'nothing';
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
}: v.InferOutput<typeof playingAnswer>): Playing | 'nothing' {
  if (!item?.name) {
    return 'nothing';
  }
  const { artists, album, show } = item;
  const names = artists?.map((artist) => artist.name).join(', ');
  return {
    track: item.name,
    artist: firstOf(names, show?.publisher),
    album: firstOf(album?.name, show?.name),
    albumArtUrl: firstOf(album?.images?.[0], show?.images?.[0], item.images?.[0]),
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
