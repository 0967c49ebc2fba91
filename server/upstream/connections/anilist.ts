/** Linking AniList accounts. AniList has no PKCE and no scopes, and its tokens are valid for a year. */
import * as v from 'valibot';

import { fetchService, type OAuthService, toRefusal, toUnavailable } from './oauth.ts';

export type AniListSettings = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Default https://anilist.co. */
  readonly root: string;
  /** Default https://graphql.anilist.co. */
  readonly apiRoot: string;
  /** Milliseconds for one request. Default 10 seconds. */
  readonly timeoutMs?: number | undefined;
};

const label = 'AniList';
/** The user waits for the link to be finished, and the name is optional. */
const nameTimeoutMs = 4000;

const tokenReply = v.object({
  access_token: v.pipe(v.string(), v.nonEmpty()),
  expires_in: v.optional(v.pipe(v.number(), v.minValue(1))),
});

const viewerReply = v.object({
  data: v.object({
    Viewer: v.object({ name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)) }),
  }),
});

export function connectAniList({
  clientId,
  clientSecret,
  root,
  apiRoot,
  timeoutMs,
}: AniListSettings): OAuthService {
  return {
    id: 'anilist',

    authorizeUrl: ({ state, redirectUri }) =>
      `${root}/api/v2/oauth/authorize?${new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        state,
      }).toString()}`,

    exchange: async ({ code, redirectUri }) => {
      const reply = await fetchService(label, {
        url: `${root}/api/v2/oauth/token`,
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({
          grant_type: 'authorization_code',
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uri: redirectUri,
          code,
        }),
        timeoutMs,
      });
      if (reply.status !== 200) {
        throw toRefusal(label, reply);
      }
      const parsed = v.safeParse(tokenReply, reply.body);
      if (!parsed.success) {
        throw toUnavailable(label);
      }
      return {
        accessToken: parsed.output.access_token,
        refreshToken: undefined,
        lifetimeS: parsed.output.expires_in,
      };
    },

    accountName: async (accessToken) => {
      try {
        const { body } = await fetchService(label, {
          url: apiRoot,
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            Accept: 'application/json',
            Authorization: `Bearer ${accessToken}`,
          },
          body: JSON.stringify({ query: 'query { Viewer { name } }' }),
          timeoutMs: Math.min(timeoutMs ?? nameTimeoutMs, nameTimeoutMs),
        });
        const parsed = v.safeParse(viewerReply, body);
        return parsed.success ? parsed.output.data.Viewer.name : undefined;
      } catch {
        // The name is optional.
        return undefined;
      }
    },
  };
}
