/** Spotify: linking accounts (authorization code with PKCE), and the track that a user listens to. */
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';

import { fetchService, type OAuthService, toRefusal, type Tokens, toUnavailable } from './oauth.ts';
import { serviceTexts } from './texts.ts';

export type SpotifySettings = {
  readonly clientId: string;
  /** Optional; PKCE is used with or without it. */
  readonly clientSecret: string | undefined;
  /** Default https://accounts.spotify.com. */
  readonly accountsRoot: string;
  /** Default https://api.spotify.com. */
  readonly apiRoot: string;
  /** Milliseconds for one request. Default 10 seconds. */
  readonly timeoutMs?: number | undefined;
};

export type Playing = {
  readonly track: string;
  readonly artist: string;
  readonly album: string;
  readonly albumArtUrl: string;
  /** Its page at Spotify; undefined for files of the user's own. */
  readonly url: string | undefined;
  readonly progressMs: number;
  readonly durationMs: number;
  readonly isPlaying: boolean;
};

export type Spotify = OAuthService & {
  /**
   * Throws `account_not_allowed`, `service_unavailable`, and `service_busy` with the time to wait.
   */
  readonly nowPlaying: (accessToken: string) => Promise<Playing | 'nothing' | 'token refused'>;
};

const label = 'Spotify';
const scope = 'user-read-currently-playing';
/** No refresh token is valid for longer after the user's consent, also one that has replaced another. */
const consentMonths = 6;

const tokenReply = v.object({
  access_token: v.pipe(v.string(), v.nonEmpty()),
  refresh_token: v.optional(v.pipe(v.string(), v.nonEmpty())),
  expires_in: v.optional(v.pipe(v.number(), v.minValue(1))),
});

const name = v.pipe(
  v.optional(v.nullable(v.string()), ''),
  v.transform((text) => text ?? ''),
);
/** Without pictures that are not on HTTPS. */
const images = v.pipe(
  v.optional(v.nullable(v.array(v.object({ url: v.string() })))),
  v.transform((list) => list?.map(({ url }) => url).filter((url) => /^https:\/\/[^/]/.test(url))),
);
const pageLink = v.optional(v.pipe(v.string(), v.regex(/^https:\/\/[^/]/)));
const noLinks = { spotify: undefined };
const pageLinks = v.pipe(
  v.fallback(v.nullish(v.object({ spotify: pageLink }), noLinks), noLinks),
  v.transform((links) => links ?? noLinks),
);
const milliseconds = v.pipe(
  v.optional(v.nullable(v.number()), 0),
  v.transform((ms) => Math.max(0, Math.round(ms ?? 0))),
);

/** A track or an episode. `item` is null for advertisements and unknown items. */
const playingReply = v.object({
  is_playing: v.optional(v.boolean(), true),
  progress_ms: milliseconds,
  item: v.optional(
    v.nullable(
      v.object({
        name,
        duration_ms: milliseconds,
        external_urls: pageLinks,
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
    const reply = await fetchService(label, {
      url: `${accountsRoot}/api/token`,
      method: 'POST',
      headers: {
        Accept: 'application/json',
        ...(clientSecret === undefined
          ? {}
          : { Authorization: `Basic ${encodeBasic(clientId, clientSecret)}` }),
      },
      body: new URLSearchParams({ ...fields, client_id: clientId }),
      timeoutMs,
    });
    if (reply.status !== 200) {
      throw toRefusal(label, reply);
    }
    const parsed = v.safeParse(tokenReply, reply.body);
    if (!parsed.success) {
      throw toUnavailable(label);
    }
    const { access_token, refresh_token, expires_in } = parsed.output;
    return { accessToken: access_token, refreshToken: refresh_token, lifetimeS: expires_in };
  }

  return {
    id: 'spotify',
    consentMonths,

    authorizeUrl: ({ state, challenge, redirectUri }) =>
      `${accountsRoot}/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        scope,
        redirect_uri: redirectUri,
        state,
        code_challenge_method: 'S256',
        code_challenge: challenge,
        // Otherwise a link from an attacker would link a user who has agreed before without a question.
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
        // Wrong keys of this server do not end the user's link.
        throw error;
      }
    },

    // The name would need another scope.
    accountName: () => Promise.resolve(undefined),

    nowPlaying: async (accessToken) => {
      const { status, body, isEmpty } = await fetchService(label, {
        url: `${apiRoot}/v1/me/player/currently-playing?additional_types=track,episode`,
        headers: { Authorization: `Bearer ${accessToken}`, Accept: 'application/json' },
        timeoutMs,
      });
      if (status === 401) {
        return 'token refused';
      }
      if (status === 403) {
        throw new AppError('account_not_allowed', {
          detail: (say) => say(serviceTexts).spotifyAccount,
        });
      }
      if (status === 204 || (status === 200 && isEmpty)) {
        return 'nothing';
      }
      const parsed = v.safeParse(playingReply, body);
      if (status !== 200 || !parsed.success) {
        throw toUnavailable(label);
      }
      return toPlaying(parsed.output);
    },
  };
}

function toPlaying({
  item,
  is_playing,
  progress_ms,
}: v.InferOutput<typeof playingReply>): Playing | 'nothing' {
  if (!item?.name) {
    return 'nothing';
  }
  const { artists, album, show } = item;
  const names = artists?.map((artist) => artist.name).join(', ');
  const showName = show?.name;
  return {
    track: item.name,
    // Apps in development mode are told no publisher.
    artist: firstText(names, show?.publisher, showName),
    album: firstText(album?.name, showName),
    albumArtUrl: firstText(album?.images?.[0], show?.images?.[0], item.images?.[0]),
    url: item.external_urls.spotify,
    progressMs: Math.min(progress_ms, item.duration_ms),
    durationMs: item.duration_ms,
    isPlaying: is_playing,
  };
}

/** The first text that is not empty. */
function firstText(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text !== '') ?? '';
}

function encodeBasic(clientId: string, secret: string): string {
  const encoded = [clientId, secret].map((part) => encodeURIComponent(part)).join(':');
  return Buffer.from(encoded).toString('base64');
}
