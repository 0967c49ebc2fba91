/** AniList: linking an account. It knows neither PKCE nor scopes, and its tokens last a year. */
import * as v from 'valibot';

import {
  askService,
  type OAuthService,
  refusalOf,
  serviceVariables,
  unavailable,
} from './oauth.ts';

export type AniListSettings = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Default https://anilist.co. */
  readonly root: string;
  /** Default https://graphql.anilist.co. */
  readonly apiRoot: string;
  /** Milliseconds until an answer must be there; ten seconds when absent. */
  readonly timeoutMs?: number | undefined;
};

const label = 'AniList';
/** Milliseconds for what is nice to know, while a person waits to hear that they are linked. */
const nameTimeoutMs = 4000;

const tokenAnswer = v.object({
  access_token: v.pipe(v.string(), v.nonEmpty()),
  expires_in: v.optional(v.pipe(v.number(), v.minValue(1))),
});

const viewerAnswer = v.object({
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
      const reply = await askService(label, {
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
        throw refusalOf(label, reply, serviceVariables.anilist);
      }
      const parsed = v.safeParse(tokenAnswer, reply.body);
      if (!parsed.success) {
        throw unavailable(label);
      }
      return {
        accessToken: parsed.output.access_token,
        refreshToken: undefined,
        lifetimeS: parsed.output.expires_in,
      };
    },

    accountName: async (accessToken) => {
      try {
        const { body } = await askService(label, {
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
        const parsed = v.safeParse(viewerAnswer, body);
        return parsed.success ? parsed.output.data.Viewer.name : undefined;
      } catch {
        // The account is linked all the same; only its name is not known.
        return undefined;
      }
    },
  };
}
