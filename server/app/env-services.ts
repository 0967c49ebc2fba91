/** What the variables of a service say together: its settings, or that it is not set up. */
import { type AniListSettings } from '#server/upstream/connections/anilist';
import { type SpotifySettings } from '#server/upstream/connections/spotify';
import { type ImagineSettings } from '#server/upstream/images/imagine';
import { type KusaSettings } from '#server/upstream/images/kusa';
import { type MidjourneySettings } from '#server/upstream/images/midjourney';

const aniListApi = 'https://graphql.anilist.co';

type Values<Name extends string> = { readonly [name in Name]?: string | undefined };

export function spotifyOf(
  values: Values<
    'SPOTIFY_CLIENT_ID' | 'SPOTIFY_CLIENT_SECRET' | 'SPOTIFY_ACCOUNTS_ROOT' | 'SPOTIFY_API_ROOT'
  >,
): SpotifySettings | undefined {
  const clientId = values.SPOTIFY_CLIENT_ID;
  return clientId === undefined
    ? undefined
    : {
        clientId,
        clientSecret: values.SPOTIFY_CLIENT_SECRET,
        accountsRoot: values.SPOTIFY_ACCOUNTS_ROOT ?? 'https://accounts.spotify.com',
        apiRoot: values.SPOTIFY_API_ROOT ?? 'https://api.spotify.com',
      };
}

export function aniListOf(
  values: Values<
    'ANILIST_CLIENT_ID' | 'ANILIST_CLIENT_SECRET' | 'ANILIST_ROOT' | 'ANILIST_API_ROOT'
  >,
): AniListSettings | undefined {
  const { ANILIST_CLIENT_ID: clientId, ANILIST_CLIENT_SECRET: clientSecret } = values;
  return clientId === undefined || clientSecret === undefined
    ? undefined
    : {
        clientId,
        clientSecret,
        root: values.ANILIST_ROOT ?? 'https://anilist.co',
        apiRoot: values.ANILIST_API_ROOT ?? aniListApi,
      };
}

export function imagineOf(
  values: Values<'IMAGINE_API_KEY' | 'IMAGINE_API_URL'>,
): ImagineSettings | undefined {
  const apiKey = values.IMAGINE_API_KEY;
  return apiKey === undefined
    ? undefined
    : { apiKey, apiRoot: values.IMAGINE_API_URL ?? 'https://api.vyro.ai/v2' };
}

export function midjourneyOf(
  values: Values<'MIDJOURNEY_PROXY_URL' | 'MIDJOURNEY_PROXY_SECRET'>,
): MidjourneySettings | undefined {
  const { MIDJOURNEY_PROXY_URL: url, MIDJOURNEY_PROXY_SECRET: secret } = values;
  return url === undefined ? undefined : { url, secret };
}

export function kusaOf(
  values: Values<'KUSA_STYLES_URL' | 'KUSA_API_KEY'>,
): KusaSettings | undefined {
  const { KUSA_STYLES_URL: url, KUSA_API_KEY: apiKey } = values;
  return url === undefined ? undefined : { url, apiKey };
}

/** Who answers the public API; what is absent is answered by offline examples. */
export type PublicApiSettings = {
  /** The GraphQL API of AniList, for look-ups without an account. */
  readonly aniListRoot: string | undefined;
  /** Without a slash at its end. */
  readonly upstream: string | undefined;
};

export function publicApiOf(
  values: Values<'PUBLIC_API_ANILIST' | 'PUBLIC_API_UPSTREAM' | 'ANILIST_API_ROOT'>,
): PublicApiSettings {
  const isOn = values.PUBLIC_API_ANILIST === 'on';
  return {
    aniListRoot: isOn ? (values.ANILIST_API_ROOT ?? aniListApi) : undefined,
    upstream: values.PUBLIC_API_UPSTREAM,
  };
}
