/** Variables of the services that commands of the bot and the public API use, and what the server makes of them. */
import * as v from 'valibot';

import { choice, headerText, hostAddress, secret, variable, webAddress } from './env-values.ts';

/** Where a service is, unless the operator says otherwise. */
const rootAddress = (usual: string) => v.optional(webAddress(usual), usual);

export const serviceVariables = {
  SPOTIFY_CLIENT_ID: variable(
    'Client ID of your Spotify app. Lets people link Spotify and show what plays.',
    v.optional(v.string()),
  ),
  SPOTIFY_CLIENT_SECRET: secret(
    'Client secret of your Spotify app. Optional: links are made with PKCE.',
    v.optional(v.string()),
  ),
  SPOTIFY_ACCOUNTS_ROOT: variable(
    'Where people sign in to Spotify. Default https://accounts.spotify.com.',
    rootAddress('https://accounts.spotify.com'),
  ),
  SPOTIFY_API_ROOT: variable(
    'Web API of Spotify. Default https://api.spotify.com.',
    rootAddress('https://api.spotify.com'),
  ),
  ANILIST_CLIENT_ID: variable(
    'Client ID of your AniList app. With its secret it lets people link AniList.',
    v.optional(v.string()),
  ),
  ANILIST_CLIENT_SECRET: secret('Client secret of your AniList app.', v.optional(v.string())),
  ANILIST_ROOT: variable(
    'Where people sign in to AniList. Default https://anilist.co.',
    rootAddress('https://anilist.co'),
  ),
  ANILIST_API_ROOT: variable(
    'GraphQL API of AniList. Default https://graphql.anilist.co.',
    rootAddress('https://graphql.anilist.co'),
  ),
  PUBLIC_API_ANILIST: variable(
    'Whether the public API asks AniList about anime and characters: on or off. Default off.',
    choice(['on', 'off'], 'off'),
  ),
  PUBLIC_API_UPSTREAM: variable(
    'Server that answers the rest of the public API, by the same paths. Default: offline examples.',
    v.optional(webAddress('https://api.example.org')),
  ),
  TRANSLATE: variable(
    'What /translate asks without a TRANSLATE_URL: mymemory, or nothing. Default nothing.',
    v.optional(v.picklist(['mymemory'], 'must be mymemory')),
  ),
  TRANSLATE_URL: variable(
    'Server of LibreTranslate that /translate asks, such as http://localhost:5000.',
    v.optional(webAddress('http://localhost:5000')),
  ),
  TRANSLATE_API_KEY: secret('Key of that server, if it needs one.', headerText),
  MYMEMORY_ROOT: variable(
    'API of MyMemory. Default https://api.mymemory.translated.net.',
    rootAddress('https://api.mymemory.translated.net'),
  ),
  WIKIMEDIA_CONTACT: variable(
    'Your mail or web address, which Wikimedia asks for. Unset: no /wiki and no /define.',
    headerText,
  ),
  WIKIMEDIA_ROOT: variable(
    'Where Wikipedia and Wiktionary are, with {host} for their host. Default https://{host}.',
    hostAddress,
  ),
  WEATHER: variable(
    'What /weather asks: open-meteo, which is for non-commercial use, or nothing. Default nothing.',
    v.optional(v.picklist(['open-meteo'], 'must be open-meteo')),
  ),
  OPEN_METEO_ROOT: variable(
    'Where Open-Meteo is, with {host} for its host. Default https://{host}.',
    hostAddress,
  ),
  ADULT: variable(
    'Whether the bot has commands for adults, with a PUBLIC_API_UPSTREAM: on or off. Default off.',
    choice(['on', 'off'], 'off'),
  ),
} as const;

type Values = v.InferOutput<v.ObjectSchema<typeof serviceVariables, undefined>>;

/** The settings of a service are undefined when it is not set up. */
export function readCommandServices(values: Values) {
  const { SPOTIFY_CLIENT_ID: spotifyId, ANILIST_CLIENT_ID: aniListId } = values;
  const { ANILIST_CLIENT_SECRET: aniListSecret, WIKIMEDIA_CONTACT: contact } = values;
  return {
    spotify:
      spotifyId === undefined
        ? undefined
        : {
            clientId: spotifyId,
            clientSecret: values.SPOTIFY_CLIENT_SECRET,
            accountsRoot: values.SPOTIFY_ACCOUNTS_ROOT,
            apiRoot: values.SPOTIFY_API_ROOT,
          },
    anilist:
      aniListId === undefined || aniListSecret === undefined
        ? undefined
        : {
            clientId: aniListId,
            clientSecret: aniListSecret,
            root: values.ANILIST_ROOT,
            apiRoot: values.ANILIST_API_ROOT,
          },
    /** What is undefined here is answered by offline examples. */
    publicApi: {
      aniListRoot: values.PUBLIC_API_ANILIST === 'on' ? values.ANILIST_API_ROOT : undefined,
      upstream: values.PUBLIC_API_UPSTREAM,
    },
    translate: readTranslation(values),
    wikimedia: contact === undefined ? undefined : { contact, root: values.WIKIMEDIA_ROOT },
    weather: values.WEATHER === undefined ? undefined : { root: values.OPEN_METEO_ROOT },
    /** Commands for adults need a public upstream, too. */
    allowsAdult: values.ADULT === 'on',
  };
}

function readTranslation(values: Values) {
  const { TRANSLATE: name, TRANSLATE_URL: url, TRANSLATE_API_KEY: apiKey } = values;
  if (url !== undefined) {
    return { protocol: 'libretranslate', root: url, apiKey } as const;
  }
  return name === undefined ? undefined : ({ protocol: name, root: values.MYMEMORY_ROOT } as const);
}
