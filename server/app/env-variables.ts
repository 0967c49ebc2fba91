/** Every environment variable of the server: what it is for, and what it may hold. */
import * as v from 'valibot';

import { serviceVariables } from './env-services.ts';
import {
  address,
  choice,
  contact,
  headerText,
  keyList,
  languageList,
  megabytes,
  origins,
  positiveNumber,
  roles,
  secret,
  trustedProxies,
  variable,
  videoAddress,
  webAddress,
  wholeNumber,
} from './env-values.ts';
import { minKeyLength } from './secret-key.ts';

export const environment = v.object({
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
  DATABASE_URL: secret(
    'Address of a PostgreSQL database (postgres://…) to use instead of the one in the data folder.',
    v.optional(
      address(['postgres:', 'postgresql:'], 'postgres://user:password@localhost:5432/nori'),
    ),
  ),
  DATABASE_DIRECT_URL: secret(
    'Its address past a connection pooler such as PgBouncer, for locks and notifications. Default: DATABASE_URL.',
    v.optional(
      address(['postgres:', 'postgresql:'], 'postgres://user:password@localhost:5432/nori'),
    ),
  ),
  DATABASE_CONNECTIONS: variable(
    'Connections to PostgreSQL that one process holds at most, besides two or three of its own. Default 10.',
    v.pipe(
      wholeNumber('10', 1000, 'must be a whole number from 1 to 1000'),
      v.minValue(1, 'must be a whole number from 1 to 1000'),
    ),
  ),
  NORI_ROLE: variable(
    'What this process does: all, or some of web, bot and worker with commas between (PostgreSQL only). Default all.',
    roles,
  ),
  NATS_URL: secret(
    'NATS server with JetStream (nats://…) that carries the updates of the bot to several processes. Needs webhooks.',
    v.optional(address(['nats:', 'tls:'], 'nats://localhost:4222')),
  ),
  S3_ENDPOINT: variable(
    'Address of an S3 service that stores pictures instead of the data folder, such as https://s3.example.org.',
    v.optional(webAddress('https://s3.example.org')),
  ),
  S3_PUBLIC_ENDPOINT: variable(
    'Its address as browsers reach it, if that is another one. Default: S3_ENDPOINT.',
    v.optional(webAddress('https://pictures.example.org')),
  ),
  S3_BUCKET: variable(
    'The bucket for pictures. Needed with S3_ENDPOINT, as are the region and both keys.',
    v.optional(
      v.pipe(
        v.string(),
        v.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
      ),
    ),
  ),
  S3_REGION: variable('Its region. Default us-east-1.', v.optional(v.string(), 'us-east-1')),
  S3_ACCESS_KEY_ID: secret('Key of the account that may read and write the bucket.', headerText),
  S3_SECRET_ACCESS_KEY: secret('Secret of that key.', headerText),
  METRICS_PORT: variable(
    'Port of /metrics for Prometheus, on HOST. Keep it from the public. Default: none; 0 takes any free one.',
    v.optional(wholeNumber('', 65_535, 'must be a port number from 0 to 65535')),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    'OpenTelemetry collector that receives traces by OTLP over HTTP, such as http://localhost:4318. Default: none.',
    v.optional(webAddress('http://localhost:4318')),
  ),
  DRAIN_SECONDS: variable(
    'How long a stopping process still answers while /readyz already says no, for balancers. Default 0.',
    wholeNumber('0', 300, 'must be a whole number of seconds up to 300'),
  ),
  PUBLIC_URL: variable(
    'The address people open, such as https://nori.example.org. Set it behind a proxy.',
    v.optional(webAddress('https://nori.example.org')),
  ),
  BOT_TOKEN: secret(
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
  ...serviceVariables,
  VIDEO_SOURCE: variable(
    'Where videos are streamed from, with {id} for the ID. Unset streams a short test film.',
    videoAddress,
  ),
  SECRET_KEY: secret(
    'Key that protects codes and tokens, 32 characters or more. Made and kept if unset; needed with DATABASE_URL.',
    v.optional(
      v.pipe(
        v.string(),
        v.minLength(minKeyLength, `must have at least ${minKeyLength} characters, or be unset`),
      ),
    ),
  ),
  SECRET_KEY_PREVIOUS: secret(
    'Earlier keys, with commas between: what they have protected stays valid while SECRET_KEY protects what is new.',
    keyList,
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
  PIXAI_API_KEY: secret(
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
  A1111_AUTH: secret(
    'Its user and password as user:password, if it was started with --api-auth.',
    v.optional(v.pipe(v.string(), v.regex(/^[^:]+:./, 'must look like user:password'))),
  ),
  IMAGINE_API_KEY: secret(
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
  MIDJOURNEY_PROXY_SECRET: secret('Its API secret, if it has one.', headerText),
  KUSA_STYLES_URL: variable(
    'Address of a JSON list of styles to show instead of the built-in ones.',
    v.optional(webAddress('https://styles.example.org/kusa/styles')),
  ),
  KUSA_API_KEY: secret('Key that this list is asked for with, if it needs one.', headerText),
  DOWNLOAD_ORIGINS: variable(
    'Other origins whose pictures people may download by the server, with commas between. Default none.',
    origins,
  ),
  ENHANCE_URL: variable(
    'OpenAI-compatible API that rewrites prompts, such as http://localhost:11434/v1. Default: rules.',
    v.optional(webAddress('http://localhost:11434/v1')),
  ),
  ENHANCE_API_KEY: secret('Key of that API. Local servers need none.', headerText),
  ENHANCE_MODEL: variable(
    'The language model to ask there. Needed when ENHANCE_URL is set.',
    v.optional(v.string()),
  ),
  SPEECH_URL: variable(
    'OpenAI-compatible API that speaks texts, such as http://localhost:8880/v1. Default: espeak-ng.',
    v.optional(webAddress('http://localhost:8880/v1')),
  ),
  SPEECH_API_KEY: secret('Key of that API. Local servers need none.', headerText),
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

export type VariableName = keyof typeof environment.entries;

/** Every variable with the sentence that says what it is for. */
export const environmentVariables: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(environment.entries).map(([name, schema]) => [
    name,
    v.getDescription(schema) ?? '',
  ]),
);

/** Variables that hold a secret: each can be given in a file, and no message repeats its value. */
export const secretVariables: ReadonlySet<string> = new Set(
  Object.entries(environment.entries)
    .filter(([, schema]) => 'isSecret' in v.getMetadata(schema))
    .map(([name]) => name),
);
