/** Reads the environment once, at the start, with one clear line for each mistake. */
import * as v from 'valibot';

import {
  address,
  choice,
  contact,
  headerText,
  languageList,
  megabytes,
  origins,
  positiveNumber,
  trustedProxies,
  videoAddress,
  webAddress,
  wholeNumber,
} from './env-values.ts';
import { keyFile, minKeyLength, readOrMakeKey } from './secret-key.ts';

/** A variable: the sentence of the README and of `.env.example`, and the schema of its value. */
const variable = <Schema extends v.GenericSchema>(about: string, schema: Schema) =>
  v.pipe(schema, v.description(about));

const environment = v.object({
  PORT: variable(
    'Port to listen on. Default 8080; 0 takes any free one.',
    wholeNumber('8080', 65_535, 'must be a port number from 0 to 65535'),
  ),
  HOST: variable(
    'Address to listen on. Default 127.0.0.1; 0.0.0.0 makes the server reachable from outside.',
    v.optional(v.string(), '127.0.0.1'),
  ),
  NORI_DATA_DIR: variable(
    'Folder for the database, saved pictures and the kept secret. Default .data.',
    v.optional(v.string(), '.data'),
  ),
  DATABASE_URL: variable(
    'Address of a PostgreSQL database (postgres://…) to use instead of the one in the data folder.',
    v.optional(
      address(['postgres:', 'postgresql:'], 'postgres://user:password@localhost:5432/nori'),
    ),
  ),
  PUBLIC_URL: variable(
    'The address people open, such as https://nori.example.org. Set it behind a proxy.',
    v.optional(webAddress('https://nori.example.org')),
  ),
  BOT_TOKEN: variable(
    'Token of your bot from BotFather. Without it codes are printed on this console.',
    v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d+:[\w-]{4,}$/, 'must look like 123456789:AAE… as BotFather gave it'),
      ),
    ),
  ),
  TELEGRAM_API_ROOT: variable(
    'Bot API server to talk to. Default https://api.telegram.org.',
    v.optional(webAddress('https://api.telegram.org')),
  ),
  BOT_MODE: variable(
    'How updates of the bot arrive: polling, webhook (needs PUBLIC_URL with https) or off. Default off: it only sends.',
    choice(['polling', 'webhook', 'off'], 'off'),
  ),
  SPOTIFY_CLIENT_ID: variable(
    'Client ID of your Spotify app. Lets people link Spotify and show what plays.',
    v.optional(v.string()),
  ),
  SPOTIFY_CLIENT_SECRET: variable(
    'Client secret of your Spotify app. Optional: links are made with PKCE.',
    v.optional(v.string()),
  ),
  SPOTIFY_ACCOUNTS_ROOT: variable(
    'Where people sign in to Spotify. Default https://accounts.spotify.com.',
    v.optional(webAddress('https://accounts.spotify.com'), 'https://accounts.spotify.com'),
  ),
  SPOTIFY_API_ROOT: variable(
    'Web API of Spotify. Default https://api.spotify.com.',
    v.optional(webAddress('https://api.spotify.com'), 'https://api.spotify.com'),
  ),
  ANILIST_CLIENT_ID: variable(
    'Client ID of your AniList app. With its secret it lets people link AniList.',
    v.optional(v.string()),
  ),
  ANILIST_CLIENT_SECRET: variable('Client secret of your AniList app.', v.optional(v.string())),
  ANILIST_ROOT: variable(
    'Where people sign in to AniList. Default https://anilist.co.',
    v.optional(webAddress('https://anilist.co'), 'https://anilist.co'),
  ),
  ANILIST_API_ROOT: variable(
    'GraphQL API of AniList. Default https://graphql.anilist.co.',
    v.optional(webAddress('https://graphql.anilist.co'), 'https://graphql.anilist.co'),
  ),
  PUBLIC_API_ANILIST: variable(
    'Whether the public API asks AniList about anime and characters: on or off. Default off.',
    choice(['on', 'off'], 'off'),
  ),
  PUBLIC_API_UPSTREAM: variable(
    'Server that answers the rest of the public API, by the same paths. Default: offline examples.',
    v.optional(webAddress('https://api.example.org')),
  ),
  VIDEO_SOURCE: variable(
    'Where videos are streamed from, with {id} for the ID. Unset streams a short test film.',
    videoAddress,
  ),
  SECRET_KEY: variable(
    'Key that protects codes and tokens, 32 characters or more. Made and kept if unset; needed with DATABASE_URL.',
    v.optional(
      v.pipe(
        v.string(),
        v.minLength(minKeyLength, `must have at least ${minKeyLength} characters, or be unset`),
      ),
    ),
  ),
  LOG_LEVEL: variable(
    'How much is logged: fatal, error, warn, info, debug, trace or silent. Default warn.',
    choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'warn'),
  ),
  ADDRESS_LIMIT_FACTOR: variable(
    'Multiplies every limit per network address. Default 1.',
    positiveNumber,
  ),
  CALLS_PER_MINUTE: variable(
    'Reads a minute of one person, or of one address without a session; two fifths as many writes. Default 600.',
    wholeNumber('600', 999_999_999, 'must be a whole number'),
  ),
  TRUST_PROXY: variable(
    'Proxies that tell the address of a caller: how many on this machine, or addresses and networks. Default 0.',
    trustedProxies,
  ),
  SECURITY_CONTACT: variable(
    'Where weaknesses are reported, for security.txt: mailto:… or https://…. Default: no such file.',
    contact,
  ),
  PAID_PICTURES_PER_DAY: variable(
    'How often a day services that cost money are asked for pictures, for all together. Default: no limit.',
    v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,9}$/, 'must be a whole number, 0 for none at all'),
        v.transform(Number),
      ),
    ),
  ),
  STORAGE_PER_USER_MB: variable(
    'Megabytes that the saved pictures of one user may take. Default 2000.',
    megabytes('2000'),
  ),
  STORAGE_TOTAL_MB: variable(
    'Megabytes that the pictures of all users and visitors may take together. Default 50000.',
    megabytes('50000'),
  ),
  STORAGE_FREE_MB: variable(
    'Megabytes that stay free on the disk: below it no picture is made or saved. Default 1000.',
    megabytes('1000'),
  ),
  PIXAI_API_KEY: variable(
    'Key of the PixAI API, which then makes the pictures. Default: sketches without AI.',
    headerText,
  ),
  PIXAI_API_ROOT: variable(
    'PixAI server to talk to. Default https://api.pixai.art.',
    v.optional(webAddress('https://api.pixai.art')),
  ),
  A1111_URL: variable(
    'Stable Diffusion web UI (A1111, Forge) that makes the pictures, by its own models, without a PixAI key.',
    v.optional(webAddress('http://localhost:7860')),
  ),
  A1111_AUTH: variable(
    'Its user and password as user:password, if it was started with --api-auth.',
    v.optional(v.pipe(v.string(), v.regex(/^[^:]+:./, 'must look like user:password'))),
  ),
  IMAGINE_API_KEY: variable(
    'Key of the Imagine Art (Vyro) API, for pictures in styles. Default: sketches without AI.',
    headerText,
  ),
  IMAGINE_API_URL: variable(
    'Imagine Art server to talk to. Default https://api.vyro.ai/v2.',
    v.optional(webAddress('https://api.vyro.ai/v2'), 'https://api.vyro.ai/v2'),
  ),
  MIDJOURNEY_PROXY_URL: variable(
    'Your midjourney-proxy service, such as http://localhost:8080/mj. May get its account banned.',
    v.optional(webAddress('http://localhost:8080/mj')),
  ),
  MIDJOURNEY_PROXY_SECRET: variable('Its API secret, if it has one.', headerText),
  KUSA_STYLES_URL: variable(
    'Address of a JSON list of styles to show instead of the built-in ones.',
    v.optional(webAddress('https://styles.example.org/kusa/styles')),
  ),
  KUSA_API_KEY: variable('Key that this list is asked for with, if it needs one.', headerText),
  DOWNLOAD_ORIGINS: variable(
    'Other origins whose pictures people may download by the server, with commas between. Default none.',
    origins,
  ),
  ENHANCE_URL: variable(
    'OpenAI-compatible API that rewrites prompts, such as http://localhost:11434/v1. Default: rules.',
    v.optional(webAddress('http://localhost:11434/v1')),
  ),
  ENHANCE_API_KEY: variable('Key of that API. Local servers need none.', headerText),
  ENHANCE_MODEL: variable(
    'The language model to ask there. Needed when ENHANCE_URL is set.',
    v.optional(v.string()),
  ),
  SPEECH_URL: variable(
    'OpenAI-compatible API that speaks texts, such as http://localhost:8880/v1. Default: espeak-ng.',
    v.optional(webAddress('http://localhost:8880/v1')),
  ),
  SPEECH_API_KEY: variable('Key of that API. Local servers need none.', headerText),
  SPEECH_MODEL: variable(
    'The speech model to ask there. Default tts-1.',
    v.optional(v.string(), 'tts-1'),
  ),
  SPEECH_COMMAND: variable(
    'Program that speaks texts without a SPEECH_URL. Default espeak-ng; samples if it is not installed.',
    v.optional(v.string(), 'espeak-ng'),
  ),
  CORS_ORIGINS: variable(
    'Other origins whose pages may call the server, with commas between. Default none.',
    origins,
  ),
  NORI_LANGUAGES: variable(
    'The languages to offer, with commas between, such as en,ar. Default: all.',
    languageList,
  ),
});

type Name = keyof typeof environment.entries;

/** Every variable with the sentence that says what it is for. */
export const environmentVariables: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(environment.entries).map(([name, schema]) => [
    name,
    v.getDescription(schema) ?? '',
  ]),
);

/** The first of each pair means nothing without the second. */
const requirements: readonly (readonly [Name, Name])[] = [
  ['ENHANCE_URL', 'ENHANCE_MODEL'],
  ['SPEECH_API_KEY', 'SPEECH_URL'],
  ['ANILIST_CLIENT_ID', 'ANILIST_CLIENT_SECRET'],
  ['ANILIST_CLIENT_SECRET', 'ANILIST_CLIENT_ID'],
  ['SPOTIFY_CLIENT_SECRET', 'SPOTIFY_CLIENT_ID'],
  ['MIDJOURNEY_PROXY_SECRET', 'MIDJOURNEY_PROXY_URL'],
  ['KUSA_API_KEY', 'KUSA_STYLES_URL'],
];

/** Some variables are wrong; `message` has one line for each. */
export class EnvironmentMistake extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'EnvironmentMistake';
  }
}

export type Env = ReturnType<typeof readEnv>;

/**
 * Throws `EnvironmentMistake`. Makes the secret key and stores it in the data folder when it is not set.
 * The settings of a service are undefined when it is not set up.
 */
export function readEnv(variables: Readonly<Record<string, string | undefined>>) {
  // An empty variable is what a template without a value leaves behind: it counts as not set.
  const given = Object.fromEntries(
    Object.keys(environment.entries).map((name) => [name, variables[name]?.trim() || undefined]),
  );
  const parsed = v.safeParse(environment, given);
  if (!parsed.success) {
    throw new EnvironmentMistake(
      parsed.issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`),
    );
  }
  const values = parsed.output;
  throwIfIncomplete(values);
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
    secretKey: values.SECRET_KEY ?? readStoredKey(values.NORI_DATA_DIR),
    logLevel: values.LOG_LEVEL,
    addressLimitFactor: values.ADDRESS_LIMIT_FACTOR,
    trustedProxies: values.TRUST_PROXY,
    /** Reads; writes are fewer. */
    callsPerMinute: values.CALLS_PER_MINUTE,
    securityContact: values.SECURITY_CONTACT,
    /** Undefined without a limit. */
    paidPicturesPerDay: values.PAID_PICTURES_PER_DAY,
    /** In bytes. */
    storage: {
      perUser: values.STORAGE_PER_USER_MB,
      total: values.STORAGE_TOTAL_MB,
      free: values.STORAGE_FREE_MB,
    },
    pixaiApiKey: values.PIXAI_API_KEY,
    pixaiApiRoot: values.PIXAI_API_ROOT,
    a1111Url: values.A1111_URL,
    a1111Auth: values.A1111_AUTH,
    downloadOrigins: values.DOWNLOAD_ORIGINS,
    enhanceUrl: values.ENHANCE_URL,
    enhanceApiKey: values.ENHANCE_API_KEY,
    enhanceModel: values.ENHANCE_MODEL,
    corsOrigins: values.CORS_ORIGINS,
    /** Undefined when all are offered. */
    languages: values.NORI_LANGUAGES,
    speech: {
      /** Undefined when none is configured. */
      server:
        values.SPEECH_URL === undefined
          ? undefined
          : { url: values.SPEECH_URL, apiKey: values.SPEECH_API_KEY, model: values.SPEECH_MODEL },
      espeakCommand: values.SPEECH_COMMAND,
    },
    ...readServices(values),
  };
}

type Values = v.InferOutput<typeof environment>;

function readServices(values: Values) {
  const { SPOTIFY_CLIENT_ID: spotifyId, ANILIST_CLIENT_ID: aniListId } = values;
  const { ANILIST_CLIENT_SECRET: aniListSecret, IMAGINE_API_KEY: imagineKey } = values;
  const { MIDJOURNEY_PROXY_URL: midjourneyUrl, KUSA_STYLES_URL: kusaUrl } = values;
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
    imagine:
      imagineKey === undefined
        ? undefined
        : { apiKey: imagineKey, apiRoot: values.IMAGINE_API_URL },
    midjourney:
      midjourneyUrl === undefined
        ? undefined
        : { url: midjourneyUrl, secret: values.MIDJOURNEY_PROXY_SECRET },
    /** Undefined when the built-in styles are shown. */
    kusa: kusaUrl === undefined ? undefined : { url: kusaUrl, apiKey: values.KUSA_API_KEY },
    /** What is undefined here is answered by offline examples. */
    publicApi: {
      aniListRoot: values.PUBLIC_API_ANILIST === 'on' ? values.ANILIST_API_ROOT : undefined,
      upstream: values.PUBLIC_API_UPSTREAM,
    },
  };
}

function throwIfIncomplete(values: Values): void {
  const broken = requirements.find(
    ([name, other]) => values[name] !== undefined && values[other] === undefined,
  );
  if (broken) {
    const [name, other] = broken;
    throw new EnvironmentMistake([`${other}: must be set when ${name} is`]);
  }
  // Each server would make a key of its own, and refuse the codes, links and tokens of the others.
  if (values.DATABASE_URL !== undefined && values.SECRET_KEY === undefined) {
    throw new EnvironmentMistake([
      'SECRET_KEY: must be set when DATABASE_URL is, to the same key for every server of this database. ' +
        `If a server ran without it before, use the text in ${keyFile(values.NORI_DATA_DIR)}, ` +
        'otherwise the output of: openssl rand -base64 48',
    ]);
  }
  if (values.BOT_MODE === 'webhook') {
    throwIfUnreachableByTelegram(values);
  }
}

/** Telegram sends updates to addresses of HTTPS only, and to these ports: https://core.telegram.org/bots/api#setwebhook */
const webhookPorts: ReadonlySet<string> = new Set(['', '443', '80', '88', '8443']);
const telegramRoot = 'https://api.telegram.org';

function throwIfUnreachableByTelegram({ PUBLIC_URL, TELEGRAM_API_ROOT }: Values): void {
  const { protocol, port } =
    PUBLIC_URL === undefined ? { protocol: '', port: '' } : new URL(PUBLIC_URL);
  if (protocol !== 'https:') {
    throw new EnvironmentMistake([
      'PUBLIC_URL: must be an address of https when BOT_MODE is webhook. Use polling otherwise.',
    ]);
  }
  // A Bot API server of the operator's own may send to any port.
  const isTelegrams = new URL(TELEGRAM_API_ROOT ?? telegramRoot).origin === telegramRoot;
  if (isTelegrams && !webhookPorts.has(port)) {
    throw new EnvironmentMistake([
      `PUBLIC_URL: has port ${port}, but Telegram sends updates to the ports 443, 80, 88 and 8443 only. ` +
        'Use one of these, or set BOT_MODE to polling.',
    ]);
  }
}

/** A data folder that cannot be used is reported like a wrong variable. */
function readStoredKey(dataDir: string): string {
  try {
    return readOrMakeKey(dataDir);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EnvironmentMistake([`NORI_DATA_DIR: the folder cannot be used: ${reason}`]);
  }
}
