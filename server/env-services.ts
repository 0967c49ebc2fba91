/** What the variables of a service say together: its settings, or that it is not set up. */
import { type AniListSettings } from './upstream/anilist.ts';
import { type SpotifySettings } from './upstream/spotify.ts';

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
        apiRoot: values.ANILIST_API_ROOT ?? 'https://graphql.anilist.co',
      };
}
