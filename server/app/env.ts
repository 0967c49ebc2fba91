/** Reads the environment: once, at the start, with one clear line for each mistake. */
import * as v from 'valibot';

import { minKeyLength, readOrMakeSecret } from '#server/lib/secret-key';
import { type AniListSettings } from '#server/upstream/connections/anilist';
import { type SpotifySettings } from '#server/upstream/connections/spotify';
import { type ImagineSettings } from '#server/upstream/images/imagine';
import { type KusaSettings } from '#server/upstream/images/kusa';
import { type MidjourneySettings } from '#server/upstream/images/midjourney';

import {
  aniListOf,
  imagineOf,
  kusaOf,
  midjourneyOf,
  type PublicApiSettings,
  publicApiOf,
  spotifyOf,
} from './env-services.ts';
import {
  filmAddress,
  headerText,
  numberOrNone,
  oneOf,
  origins,
  positiveNumber,
  url,
  wholeNumber,
} from './env-values.ts';

/** Every variable the server reads, and what it is for. */
export const environmentVariables = {
  PORT: 'Port to listen on. Default 8080; 0 takes any free one.',
  HOST: 'Address to listen on. Default 127.0.0.1; 0.0.0.0 makes the server reachable from outside.',
  NORI_DATA_DIR: 'Folder for the database, saved pictures and the kept secret. Default .data.',
  DATABASE_URL:
    'Address of a PostgreSQL database (postgres://…) to use instead of the one in the data folder.',
  PUBLIC_URL: 'The address people open, such as https://nori.example.org. Set it behind a proxy.',
  BOT_TOKEN: 'Token of your bot from BotFather. Without it codes are printed on this console.',
  TELEGRAM_API_ROOT: 'Bot API server to talk to. Default https://api.telegram.org.',
  BOT_MODE:
    'How updates of the bot arrive: polling, webhook (needs PUBLIC_URL with https) or off. Default off: it only sends.',
  SPOTIFY_CLIENT_ID: 'Client ID of your Spotify app. Lets people link Spotify and show what plays.',
  SPOTIFY_CLIENT_SECRET: 'Client secret of your Spotify app. Optional: links are made with PKCE.',
  SPOTIFY_ACCOUNTS_ROOT: 'Where people sign in to Spotify. Default https://accounts.spotify.com.',
  SPOTIFY_API_ROOT: 'Web API of Spotify. Default https://api.spotify.com.',
  ANILIST_CLIENT_ID: 'Client ID of your AniList app. With its secret it lets people link AniList.',
  ANILIST_CLIENT_SECRET: 'Client secret of your AniList app.',
  ANILIST_ROOT: 'Where people sign in to AniList. Default https://anilist.co.',
  ANILIST_API_ROOT: 'GraphQL API of AniList. Default https://graphql.anilist.co.',
  PUBLIC_API_ANILIST:
    'Whether the public API asks AniList about anime and characters: on or off. Default off.',
  PUBLIC_API_UPSTREAM:
    'Server that answers the rest of the public API, by the same paths. Default: offline examples.',
  VIDEO_SOURCE:
    'Where videos are streamed from, with {id} for the ID. Unset streams a short test film.',
  SECRET_KEY:
    'Key that protects one-time passwords and tokens, 32 characters or more. Made and kept if unset.',
  LOG_LEVEL: 'How much is logged: fatal, error, warn, info, debug, trace or silent. Default warn.',
  ADDRESS_LIMIT_FACTOR: 'Multiplies every limit per network address. Default 1.',
  TRUST_PROXY: 'How many proxies stand in front and may tell the address of a caller. Default 0.',
  PAID_PICTURES_PER_DAY:
    'How often a day services that cost money are asked for pictures, for all together. Default: no limit.',
  PIXAI_API_KEY:
    'Key of the PixAI API, which then makes the pictures. Default: sketches without AI.',
  PIXAI_API_ROOT: 'PixAI server to talk to. Default https://api.pixai.art.',
  A1111_URL:
    'Stable Diffusion web UI (A1111, Forge) that makes the pictures, by its own models, without a PixAI key.',
  A1111_AUTH: 'Its user and password as user:password, if it was started with --api-auth.',
  IMAGINE_API_KEY:
    'Key of the Imagine Art (Vyro) API, for pictures in styles. Default: sketches without AI.',
  IMAGINE_API_URL: 'Imagine Art server to talk to. Default https://api.vyro.ai/v2.',
  MIDJOURNEY_PROXY_URL:
    'Your midjourney-proxy service, such as http://localhost:8080/mj. May get its account banned.',
  MIDJOURNEY_PROXY_SECRET: 'Its API secret, if it has one.',
  KUSA_STYLES_URL: 'Address of a JSON list of styles to show instead of the built-in ones.',
  KUSA_API_KEY: 'Key that this list is asked for with, if it needs one.',
  DOWNLOAD_ORIGINS:
    'Other origins whose pictures people may download by the server, with commas between. Default none.',
  ENHANCE_URL:
    'OpenAI-compatible API that rewrites prompts, such as http://localhost:11434/v1. Default: rules.',
  ENHANCE_API_KEY: 'Key of that API. Local servers need none.',
  ENHANCE_MODEL: 'The language model to ask there. Needed when ENHANCE_URL is set.',
  CORS_ORIGINS: 'Other origins whose pages may call the server, with commas between. Default none.',
} as const;

type Name = keyof typeof environmentVariables;
export type Variables = Readonly<Record<string, string | undefined>>;

/** What the server is told from outside. */
export type Env = {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Without a slash at its end. */
  readonly publicUrl: string | undefined;
  readonly botToken: string | undefined;
  readonly telegramApiRoot: string | undefined;
  readonly botMode: 'polling' | 'webhook' | 'off';
  /** Absent when Spotify is not set up. */
  readonly spotify: SpotifySettings | undefined;
  /** Absent when AniList is not set up. */
  readonly anilist: AniListSettings | undefined;
  readonly publicApi: PublicApiSettings;
  /** An address with `{id}` in it. */
  readonly videoSource: string | undefined;
  readonly secretKey: string;
  readonly logLevel: string;
  readonly addressLimitFactor: number;
  readonly trustedProxies: number;
  /** Absent without a limit. */
  readonly paidPicturesPerDay: number | undefined;
  readonly pixaiApiKey: string | undefined;
  readonly pixaiApiRoot: string | undefined;
  readonly a1111Url: string | undefined;
  readonly a1111Auth: string | undefined;
  /** Absent without a key. */
  readonly imagine: ImagineSettings | undefined;
  /** Absent without a service. */
  readonly midjourney: MidjourneySettings | undefined;
  /** Absent where the built-in styles are shown. */
  readonly kusa: KusaSettings | undefined;
  readonly downloadOrigins: readonly string[];
  readonly enhanceUrl: string | undefined;
  readonly enhanceApiKey: string | undefined;
  readonly enhanceModel: string | undefined;
  readonly corsOrigins: readonly string[];
};

/** Some variables are wrong; `message` has one line for each. */
export class EnvironmentMistake extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'EnvironmentMistake';
  }
}

/** Throws `EnvironmentMistake`. Makes the secret key and keeps it in the data folder when unset. */
export function readEnv(variables: Variables): Env {
  // An empty variable is what a template without a value leaves behind: as good as none.
  const given = Object.fromEntries(
    Object.keys(environmentVariables).map((name) => [name, variables[name]?.trim() || undefined]),
  );
  const parsed = v.safeParse(environment, given);
  if (!parsed.success) {
    throw new EnvironmentMistake(
      parsed.issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`),
    );
  }

  const { SECRET_KEY: key, ...values } = parsed.output;
  throwIfAlone(values, 'ENHANCE_URL', 'ENHANCE_MODEL');
  throwIfAlone(values, 'ANILIST_CLIENT_ID', 'ANILIST_CLIENT_SECRET');
  throwIfAlone(values, 'ANILIST_CLIENT_SECRET', 'ANILIST_CLIENT_ID');
  throwIfAlone(values, 'SPOTIFY_CLIENT_SECRET', 'SPOTIFY_CLIENT_ID');
  throwIfAlone(values, 'MIDJOURNEY_PROXY_SECRET', 'MIDJOURNEY_PROXY_URL');
  throwIfAlone(values, 'KUSA_API_KEY', 'KUSA_STYLES_URL');
  throwIfUnreachable(values);
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: values.NORI_DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    publicUrl: values.PUBLIC_URL,
    botToken: values.BOT_TOKEN,
    telegramApiRoot: values.TELEGRAM_API_ROOT,
    botMode: values.BOT_MODE,
    videoSource: values.VIDEO_SOURCE,
    spotify: spotifyOf(values),
    anilist: aniListOf(values),
    publicApi: publicApiOf(values),
    secretKey: key ?? keptSecret(values.NORI_DATA_DIR),
    logLevel: values.LOG_LEVEL,
    addressLimitFactor: values.ADDRESS_LIMIT_FACTOR,
    trustedProxies: values.TRUST_PROXY,
    paidPicturesPerDay: values.PAID_PICTURES_PER_DAY,
    pixaiApiKey: values.PIXAI_API_KEY,
    pixaiApiRoot: values.PIXAI_API_ROOT,
    a1111Url: values.A1111_URL,
    a1111Auth: values.A1111_AUTH,
    imagine: imagineOf(values),
    midjourney: midjourneyOf(values),
    kusa: kusaOf(values),
    downloadOrigins: values.DOWNLOAD_ORIGINS,
    enhanceUrl: values.ENHANCE_URL,
    enhanceApiKey: values.ENHANCE_API_KEY,
    enhanceModel: values.ENHANCE_MODEL,
    corsOrigins: values.CORS_ORIGINS,
  };
}

/** Some variables mean nothing without another. Throws `EnvironmentMistake`. */
function throwIfAlone(
  values: { readonly [name in Name]?: unknown },
  name: Name,
  other: Name,
): void {
  if (values[name] !== undefined && values[other] === undefined) {
    throw new EnvironmentMistake([`${other}: must be set when ${name} is`]);
  }
}

/** Telegram brings updates to addresses of HTTPS only. Throws `EnvironmentMistake`. */
function throwIfUnreachable({
  BOT_MODE: mode,
  PUBLIC_URL: publicUrl,
}: {
  readonly BOT_MODE: string;
  readonly PUBLIC_URL?: string | undefined;
}): void {
  if (mode === 'webhook' && publicUrl?.startsWith('https:') !== true) {
    throw new EnvironmentMistake([
      'PUBLIC_URL: must be an address of https when BOT_MODE is webhook. Use polling otherwise.',
    ]);
  }
}

const environment = v.object({
  PORT: wholeNumber('8080', 65_535, 'must be a port number from 0 to 65535'),
  HOST: v.optional(v.string(), '127.0.0.1'),
  NORI_DATA_DIR: v.optional(v.string(), '.data'),
  DATABASE_URL: url(['postgres:', 'postgresql:'], 'postgres://user:password@localhost:5432/nori'),
  PUBLIC_URL: url(['https:', 'http:'], 'https://nori.example.org'),
  BOT_TOKEN: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d+:[\w-]{4,}$/, 'must look like 123456789:AAE… as BotFather gave it'),
    ),
  ),
  TELEGRAM_API_ROOT: url(['https:', 'http:'], 'https://api.telegram.org'),
  BOT_MODE: oneOf(['polling', 'webhook', 'off'], 'off'),
  SPOTIFY_CLIENT_ID: v.optional(v.string()),
  SPOTIFY_CLIENT_SECRET: v.optional(v.string()),
  SPOTIFY_ACCOUNTS_ROOT: url(['https:', 'http:'], 'https://accounts.spotify.com'),
  SPOTIFY_API_ROOT: url(['https:', 'http:'], 'https://api.spotify.com'),
  ANILIST_CLIENT_ID: v.optional(v.string()),
  ANILIST_CLIENT_SECRET: v.optional(v.string()),
  ANILIST_ROOT: url(['https:', 'http:'], 'https://anilist.co'),
  ANILIST_API_ROOT: url(['https:', 'http:'], 'https://graphql.anilist.co'),
  PUBLIC_API_ANILIST: oneOf(['on', 'off'], 'off'),
  PUBLIC_API_UPSTREAM: url(['https:', 'http:'], 'https://api.example.org'),
  VIDEO_SOURCE: filmAddress,
  SECRET_KEY: v.optional(
    v.pipe(
      v.string(),
      v.minLength(minKeyLength, `must have at least ${minKeyLength} characters, or be unset`),
    ),
  ),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'warn'),
  ADDRESS_LIMIT_FACTOR: positiveNumber('1'),
  TRUST_PROXY: wholeNumber('0', 10, 'must be a whole number from 0 to 10'),
  PAID_PICTURES_PER_DAY: numberOrNone('must be a whole number, 0 for none at all'),
  PIXAI_API_KEY: headerText,
  PIXAI_API_ROOT: url(['https:', 'http:'], 'https://api.pixai.art'),
  A1111_URL: url(['https:', 'http:'], 'http://localhost:7860'),
  A1111_AUTH: v.optional(v.pipe(v.string(), v.regex(/^[^:]+:./, 'must look like user:password'))),
  IMAGINE_API_KEY: headerText,
  IMAGINE_API_URL: url(['https:', 'http:'], 'https://api.vyro.ai/v2'),
  MIDJOURNEY_PROXY_URL: url(['https:', 'http:'], 'http://localhost:8080/mj'),
  MIDJOURNEY_PROXY_SECRET: headerText,
  KUSA_STYLES_URL: url(['https:', 'http:'], 'https://styles.example.org/kusa/styles'),
  KUSA_API_KEY: headerText,
  DOWNLOAD_ORIGINS: origins,
  ENHANCE_URL: url(['https:', 'http:'], 'http://localhost:11434/v1'),
  ENHANCE_API_KEY: headerText,
  ENHANCE_MODEL: v.optional(v.string()),
  CORS_ORIGINS: origins,
} satisfies Record<Name, v.GenericSchema>);

/** Throws `EnvironmentMistake`: a data folder that cannot be used is a mistake like any other. */
function keptSecret(dataDir: string): string {
  try {
    return readOrMakeSecret(dataDir);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EnvironmentMistake([`NORI_DATA_DIR: the folder cannot be used: ${reason}`]);
  }
}
