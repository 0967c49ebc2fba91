/** Reads the environment once, at the start, with one clear line for each mistake. */
import { readFileSync } from 'node:fs';
import * as v from 'valibot';

import { type SecretKeys } from '#server/lib/derived-keys';

import { readCommandServices } from './env-services.ts';
import { allRoles } from './env-values.ts';
import { environment, secretVariables, type VariableName } from './env-variables.ts';
import { keyFile, readOrMakeKey } from './secret-key.ts';

/** The first of each pair means nothing without the second. */
const requirements: readonly (readonly [VariableName, VariableName])[] = [
  ['ENHANCE_URL', 'ENHANCE_MODEL'],
  ['SPEECH_API_KEY', 'SPEECH_URL'],
  ['ANILIST_CLIENT_ID', 'ANILIST_CLIENT_SECRET'],
  ['ANILIST_CLIENT_SECRET', 'ANILIST_CLIENT_ID'],
  ['SPOTIFY_CLIENT_SECRET', 'SPOTIFY_CLIENT_ID'],
  ['MIDJOURNEY_PROXY_SECRET', 'MIDJOURNEY_PROXY_URL'],
  ['KUSA_API_KEY', 'KUSA_STYLES_URL'],
  ['DATABASE_DIRECT_URL', 'DATABASE_URL'],
  ['NATS_URL', 'DATABASE_URL'],
  ['S3_PUBLIC_ENDPOINT', 'S3_ENDPOINT'],
  ['S3_BUCKET', 'S3_ENDPOINT'],
  ['S3_ENDPOINT', 'S3_BUCKET'],
  ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID'],
  ['S3_ENDPOINT', 'S3_SECRET_ACCESS_KEY'],
  ['S3_ACCESS_KEY_ID', 'S3_ENDPOINT'],
  ['S3_SECRET_ACCESS_KEY', 'S3_ENDPOINT'],
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
  const given = readGiven(variables);
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
    /** For locks and notifications. */
    databaseDirectUrl: values.DATABASE_DIRECT_URL ?? values.DATABASE_URL,
    databaseConnections: values.DATABASE_CONNECTIONS,
    roles: values.NORI_ROLE,
    natsUrl: values.NATS_URL,
    /** Undefined when pictures are stored in the data folder. */
    s3: readS3(values),
    /** Undefined without metrics. */
    metricsPort: values.METRICS_PORT,
    tracesUrl: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    drainMs: values.DRAIN_SECONDS * 1000,
    publicUrl: values.PUBLIC_URL,
    botToken: values.BOT_TOKEN,
    telegramApiRoot: values.TELEGRAM_API_ROOT,
    botMode: values.BOT_MODE,
    videoSource: values.VIDEO_SOURCE,
    secretKeys: readSecretKeys(values),
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

/** What is set for each variable: in the environment, or in the file that the environment names. */
function readGiven(
  variables: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  // An empty variable is what a template without a value leaves behind: it counts as not set.
  const read = (name: string) => variables[name]?.trim() || undefined;
  const mistakes: string[] = [];
  const given = Object.keys(environment.entries).map((name) => {
    const value = read(name);
    const file = secretVariables.has(name) ? read(`${name}_FILE`) : undefined;
    if (file === undefined) {
      return [name, value] as const;
    }
    const found =
      value === undefined ? readSecretFile(file) : { mistake: `must not be set when ${name} is` };
    if (found.mistake !== undefined) {
      mistakes.push(`${name}_FILE: ${found.mistake}`);
    }
    return [name, found.text] as const;
  });
  if (mistakes.length > 0) {
    throw new EnvironmentMistake(mistakes);
  }
  return Object.fromEntries(given);
}

function readSecretFile(file: string): { readonly text?: string; readonly mistake?: string } {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return text === '' ? { mistake: `the file ${file} is empty` } : { text };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { mistake: `the file cannot be read: ${reason}` };
  }
}

/** The key that protects what is new, and then those that have protected what is older. */
function readSecretKeys(values: Values): SecretKeys {
  const first = values.SECRET_KEY ?? readStoredKey(values.NORI_DATA_DIR);
  return [first, ...new Set(values.SECRET_KEY_PREVIOUS.filter((key) => key !== first))];
}

function readS3(values: Values) {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket } = values;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  return endpoint === undefined ||
    bucket === undefined ||
    accessKeyId === undefined ||
    secretAccessKey === undefined
    ? undefined
    : {
        endpoint,
        /** As browsers reach it. */
        publicEndpoint: values.S3_PUBLIC_ENDPOINT ?? endpoint,
        bucket,
        region: values.S3_REGION,
        accessKeyId,
        secretAccessKey,
      };
}

function readServices(values: Values) {
  const { IMAGINE_API_KEY: imagineKey } = values;
  const { MIDJOURNEY_PROXY_URL: midjourneyUrl, KUSA_STYLES_URL: kusaUrl } = values;
  return {
    ...readCommandServices(values),
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
  if (values.DATABASE_URL === undefined && values.NORI_ROLE.size < allRoles.length) {
    throw new EnvironmentMistake([
      'NORI_ROLE: must be all without DATABASE_URL: one process has the SQLite database of the data folder, and does everything.',
    ]);
  }
  if (values.NATS_URL !== undefined && values.BOT_MODE === 'polling') {
    throw new EnvironmentMistake([
      'BOT_MODE: must be webhook when NATS_URL is set: polling reaches one process only, and needs no message log.',
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
