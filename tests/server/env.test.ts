/** The environment: valid values, and the message for each error. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { EnvironmentMistake, readEnv } from '#server/app/env';
import { environmentVariables, secretVariables } from '#server/app/env-variables';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'nori-env-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

test('no variable is required', () => {
  const env = readEnv({ NORI_DATA_DIR: dataDir });

  expect(env).toEqual({
    storage: { perUser: 2_000_000_000, total: 50_000_000_000, free: 1_000_000_000 },
    port: 8080,
    host: '127.0.0.1',
    dataDir,
    databaseUrl: undefined,
    databaseConnections: 10,
    roles: new Set(['web', 'bot', 'worker']),
    drainMs: 0,
    publicApi: { aniListRoot: undefined, upstream: undefined },
    allowsAdult: false,
    publicUrl: undefined,
    botToken: undefined,
    telegramApiRoot: undefined,
    botMode: 'off',
    secretKeys: [expect.stringMatching(/^[\w-]{43}$/)],
    logLevel: 'warn',
    addressLimitFactor: 1,
    trustedProxies: expect.objectContaining({ max: 0 }),
    callsPerMinute: 600,
    securityContact: undefined,
    pixaiApiKey: undefined,
    pixaiApiRoot: undefined,
    a1111Url: undefined,
    a1111Auth: undefined,
    downloadOrigins: [],
    enhanceUrl: undefined,
    enhanceApiKey: undefined,
    enhanceModel: undefined,
    corsOrigins: [],
    speech: { server: undefined, espeakCommand: 'espeak-ng' },
  });
});

test('every variable can be set', () => {
  const env = readEnv({
    PORT: '3000',
    HOST: '0.0.0.0',
    NORI_DATA_DIR: '/var/lib/nori',
    DATABASE_URL: 'postgres://nori@localhost:5432/nori',
    PUBLIC_URL: 'https://nori.example.org/',
    BOT_TOKEN: '123456789:a-token-of-a-bot-that-tests-use-0000',
    TELEGRAM_API_ROOT: 'http://127.0.0.1:8081',
    BOT_MODE: 'polling',
    SECRET_KEY: 'a-key-of-tests-with-32-characters',
    LOG_LEVEL: 'debug',
    ADDRESS_LIMIT_FACTOR: '2.5',
    CALLS_PER_MINUTE: '90',
    TRUST_PROXY: '1',
    SECURITY_CONTACT: 'mailto:security@example.org',
    PAID_PICTURES_PER_DAY: '500',
    STORAGE_PER_USER_MB: '300',
    STORAGE_TOTAL_MB: '4000',
    STORAGE_FREE_MB: '0',
    PIXAI_API_KEY: 'sk-pixai',
    PIXAI_API_ROOT: 'http://127.0.0.1:9001/',
    A1111_URL: 'http://localhost:7860',
    A1111_AUTH: 'ada:pass:word',
    IMAGINE_API_KEY: 'vk-imagine',
    IMAGINE_API_URL: 'http://127.0.0.1:9002/v2/',
    MIDJOURNEY_PROXY_URL: 'http://localhost:8080/mj/',
    MIDJOURNEY_PROXY_SECRET: 'mj-secret',
    KUSA_STYLES_URL: 'https://styles.example.org/kusa/styles',
    KUSA_API_KEY: 'kusa-key',
    DOWNLOAD_ORIGINS: 'https://cdn.example.org',
    ENHANCE_URL: 'http://localhost:11434/v1',
    ENHANCE_API_KEY: 'sk-words',
    ENHANCE_MODEL: 'llama3.2',
    CORS_ORIGINS: 'https://one.example.org, https://two.example.org:8443',
    NORI_LANGUAGES: 'en-XA, pt-BR, ar,',
  });

  expect(env).toMatchObject({
    port: 3000,
    databaseUrl: 'postgres://nori@localhost:5432/nori',
    publicUrl: 'https://nori.example.org',
    botMode: 'polling',
    secretKeys: ['a-key-of-tests-with-32-characters'],
    addressLimitFactor: 2.5,
    trustedProxies: expect.objectContaining({ max: 1 }),
    callsPerMinute: 90,
    securityContact: 'mailto:security@example.org',
    paidPicturesPerDay: 500,
    storage: { perUser: 300_000_000, total: 4_000_000_000, free: 0 },
    pixaiApiKey: 'sk-pixai',
    pixaiApiRoot: 'http://127.0.0.1:9001',
    a1111Url: 'http://localhost:7860',
    a1111Auth: 'ada:pass:word',
    imagine: { apiKey: 'vk-imagine', apiRoot: 'http://127.0.0.1:9002/v2' },
    midjourney: { url: 'http://localhost:8080/mj', secret: 'mj-secret' },
    kusa: { url: 'https://styles.example.org/kusa/styles', apiKey: 'kusa-key' },
    downloadOrigins: ['https://cdn.example.org'],
    enhanceUrl: 'http://localhost:11434/v1',
    enhanceApiKey: 'sk-words',
    enhanceModel: 'llama3.2',
    corsOrigins: ['https://one.example.org', 'https://two.example.org:8443'],
    languages: ['pt-BR', 'ar'],
  });
});

test('an empty variable counts as not set', () => {
  const env = readEnv({ NORI_DATA_DIR: dataDir, PORT: '', BOT_TOKEN: '  ', SECRET_KEY: '' });

  expect(env).toMatchObject({ port: 8080, botToken: undefined });
});

test('the secret key is made once, stored, and readable by its owner alone', () => {
  const first = readEnv({ NORI_DATA_DIR: dataDir });
  const second = readEnv({ NORI_DATA_DIR: dataDir });
  const file = join(dataDir, 'secret-key');

  expect(second.secretKeys).toEqual(first.secretKeys);
  expect(readFileSync(file, 'utf8')).toBe(first.secretKeys[0]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('an empty key file is an error, because codes hashed with it could be forged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nori-key-'));
  writeFileSync(join(folder, 'secret-key'), '\n');

  expect(() => readEnv({ NORI_DATA_DIR: folder })).toThrow(/NORI_DATA_DIR: .*too short/);
  rmSync(folder, { recursive: true });
});

test('an unusable data folder is reported in one line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nori-file-'));
  const file = join(folder, 'a-file');
  writeFileSync(file, 'not a folder');

  expect(() => readEnv({ NORI_DATA_DIR: file })).toThrow(
    /^NORI_DATA_DIR: the folder cannot be used: [^\n]+$/,
  );
  rmSync(folder, { recursive: true });
});

test.each([
  ['PORT', 'eighty', 'PORT: must be a port number from 0 to 65535'],
  ['PORT', '70000', 'PORT: must be a port number from 0 to 65535'],
  ['PORT', '-1', 'PORT: must be a port number from 0 to 65535'],
  [
    'DATABASE_URL',
    'mysql://localhost/nori',
    'DATABASE_URL: must be an address such as postgres://user:password@localhost:5432/nori',
  ],
  [
    'PUBLIC_URL',
    'nori.example.org',
    'PUBLIC_URL: must be an address such as https://nori.example.org',
  ],
  ['BOT_TOKEN', 'hello', 'BOT_TOKEN: must look like 123456789:AAE… as BotFather gave it'],
  [
    'TELEGRAM_API_ROOT',
    'telegram',
    'TELEGRAM_API_ROOT: must be an address such as https://api.telegram.org',
  ],
  ['BOT_MODE', 'on', 'BOT_MODE: must be one of polling, webhook, off'],
  [
    'BOT_MODE',
    'webhook',
    'PUBLIC_URL: must be an address of https when BOT_MODE is webhook. Use polling otherwise.',
  ],
  ['SECRET_KEY', 'short', 'SECRET_KEY: must have at least 32 characters, or be unset'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent'],
  ['ADDRESS_LIMIT_FACTOR', '0', 'ADDRESS_LIMIT_FACTOR: must be a number above 0'],
  ['ADDRESS_LIMIT_FACTOR', 'many', 'ADDRESS_LIMIT_FACTOR: must be a number above 0'],
  ['PIXAI_API_KEY', 'two words', 'PIXAI_API_KEY: must be one word without spaces'],
  ['A1111_URL', 'localhost:7860', 'A1111_URL: must be an address such as http://localhost:7860'],
  ['A1111_AUTH', 'ada', 'A1111_AUTH: must look like user:password'],
  [
    'SPOTIFY_API_ROOT',
    'api.spotify.com',
    'SPOTIFY_API_ROOT: must be an address such as https://api.spotify.com',
  ],
  ['ANILIST_CLIENT_ID', '4711', 'ANILIST_CLIENT_SECRET: must be set when ANILIST_CLIENT_ID is'],
  [
    'ANILIST_CLIENT_SECRET',
    'secret',
    'ANILIST_CLIENT_ID: must be set when ANILIST_CLIENT_SECRET is',
  ],
  [
    'SPOTIFY_CLIENT_SECRET',
    'secret',
    'SPOTIFY_CLIENT_ID: must be set when SPOTIFY_CLIENT_SECRET is',
  ],
  ['ENHANCE_URL', 'http://localhost:11434/v1', 'ENHANCE_MODEL: must be set when ENHANCE_URL is'],
  [
    'MIDJOURNEY_PROXY_SECRET',
    'secret',
    'MIDJOURNEY_PROXY_URL: must be set when MIDJOURNEY_PROXY_SECRET is',
  ],
  ['KUSA_API_KEY', 'secret', 'KUSA_STYLES_URL: must be set when KUSA_API_KEY is'],
  [
    'DOWNLOAD_ORIGINS',
    'cdn.example.org',
    'DOWNLOAD_ORIGINS: must be origins such as https://app.example.org, with commas between',
  ],
  [
    'CORS_ORIGINS',
    'https://one.example.org/path',
    'CORS_ORIGINS: must be origins such as https://app.example.org, with commas between',
  ],
  [
    'CORS_ORIGINS',
    '*',
    'CORS_ORIGINS: must be origins such as https://app.example.org, with commas between',
  ],
  [
    'NORI_LANGUAGES',
    'en,klingon',
    'NORI_LANGUAGES: must be some of en,ru,fa,uz,ar,es,pt-BR,id,tr,uk,de,fr,it,hi',
  ],
])('%s=%s is reported in one clear line', (name, value, line) => {
  const variables = { NORI_DATA_DIR: dataDir, [name]: value };

  expect(() => readEnv(variables)).toThrow(new EnvironmentMistake([line]));
});

test.each([
  'yes',
  '11',
  '-1',
  '10.0.0.7,proxy',
  '10.0.0.0/33',
  '10.0.0.0/',
  'fd00::/129',
  '::/8/8',
])('TRUST_PROXY=%s names no proxies', (value) => {
  expect(() => readEnv({ NORI_DATA_DIR: dataDir, TRUST_PROXY: value })).toThrow(
    new EnvironmentMistake([
      'TRUST_PROXY: must be a whole number from 0 to 10, or addresses such as 10.0.0.7,10.1.0.0/16,fd00::/8',
    ]),
  );
});

test.each(['security@example.org', 'http://example.org/security', 'mailto:security', 'https://'])(
  'SECURITY_CONTACT=%s is none',
  (value) => {
    expect(() => readEnv({ NORI_DATA_DIR: dataDir, SECURITY_CONTACT: value })).toThrow(
      new EnvironmentMistake([
        'SECURITY_CONTACT: must be an address such as mailto:security@example.org or https://example.org/security',
      ]),
    );
  },
);

test('a server on PostgreSQL does not start without a secret key, and says which one to set', () => {
  const database = { NORI_DATA_DIR: dataDir, DATABASE_URL: 'postgres://nori@localhost:5432/nori' };

  const read = () => readEnv(database);

  expect(read).toThrow(/^SECRET_KEY: must be set when DATABASE_URL is, to the same key for every/);
  expect(read).toThrow(join(dataDir, 'secret-key'));
  expect(read).toThrow('openssl rand -base64 48');
  const secretKey = 'a-key-of-tests-with-32-characters';
  expect(readEnv({ ...database, SECRET_KEY: secretKey }).secretKeys).toEqual([secretKey]);
});

describe('the port of the webhook', () => {
  const bot = {
    BOT_TOKEN: '123456789:a-token-of-a-bot-that-tests-use-0000',
    BOT_MODE: 'webhook',
    SECRET_KEY: 'a-key-of-tests-with-32-characters',
  };

  test.each(['', ':443', ':80', ':88', ':8443'])('Telegram sends to https://…%s', (port) => {
    expect(readEnv({ ...bot, PUBLIC_URL: `https://nori.example.org${port}` }).botMode).toBe(
      'webhook',
    );
  });

  test.each(['8080', '8444', '3000'])('Telegram does not send to port %s', (port) => {
    expect(() => readEnv({ ...bot, PUBLIC_URL: `https://nori.example.org:${port}` })).toThrow(
      new EnvironmentMistake([
        `PUBLIC_URL: has port ${port}, but Telegram sends updates to the ports 443, 80, 88 and 8443 only. Use one of these, or set BOT_MODE to polling.`,
      ]),
    );
  });

  test('the ports are the same when Telegram’s own address is given', () => {
    const variables = { ...bot, PUBLIC_URL: 'https://nori.example.org:3000' };
    const readWith = (TELEGRAM_API_ROOT: string) => readEnv({ ...variables, TELEGRAM_API_ROOT });

    expect(() => readWith('https://api.telegram.org')).toThrow('has port 3000');
  });

  test('polling works at every port, and a Bot API server of the operator sends to every port', () => {
    const PUBLIC_URL = 'https://nori.example.org:3000';

    expect(readEnv({ ...bot, PUBLIC_URL, BOT_MODE: 'polling' }).publicUrl).toBe(PUBLIC_URL);
    expect(
      readEnv({ ...bot, PUBLIC_URL, TELEGRAM_API_ROOT: 'http://127.0.0.1:8081' }).publicUrl,
    ).toBe(PUBLIC_URL);
  });
});

test('several errors are reported at once, and no value is repeated', () => {
  const read = () =>
    readEnv({ NORI_DATA_DIR: dataDir, PORT: 'x', BOT_MODE: 'y', BOT_TOKEN: 'hunter2' });

  expect(read).toThrow(/^PORT: .*\nBOT_TOKEN: .*\nBOT_MODE: .*$/);
  expect(read).not.toThrow(/hunter2/);
});

describe('secrets', () => {
  const secretNames = [...secretVariables];
  const write = (text: string) => {
    const file = join(dataDir, 'a-secret');
    writeFileSync(file, text);
    return file;
  };

  test('every variable that may hold one is marked', () => {
    const named = Object.keys(environmentVariables).filter((name) =>
      /TOKEN|SECRET|AUTH|_KEY\b|_KEY_|PASSWORD|^DATABASE.*_URL$|^NATS_URL$/.test(name),
    );

    expect(named).toEqual(secretNames);
    expect(secretNames.length).toBeGreaterThan(15);
  });

  test('one in a file counts as if it were set, without the end of its line', () => {
    const file = write(' 123456789:a-token-of-a-bot-that-tests-use-0000\r\n');

    expect(readEnv({ NORI_DATA_DIR: dataDir, BOT_TOKEN_FILE: file })).toMatchObject({
      botToken: '123456789:a-token-of-a-bot-that-tests-use-0000',
    });
  });

  test('keys in a file may stand below each other', () => {
    const [one, other] = ['a', 'b'].map((letter) => letter.repeat(32));
    const file = write(`${one}\n${other}\n`);

    const { secretKeys } = readEnv({ NORI_DATA_DIR: dataDir, SECRET_KEY_PREVIOUS_FILE: file });

    expect(secretKeys.slice(1)).toEqual([one, other]);
  });

  test('the key of today is not listed twice', () => {
    const key = 'k'.repeat(32);
    const { secretKeys } = readEnv({
      NORI_DATA_DIR: dataDir,
      SECRET_KEY: key,
      SECRET_KEY_PREVIOUS: `${key},${'o'.repeat(32)}`,
    });

    expect(secretKeys).toEqual([key, 'o'.repeat(32)]);
  });

  test('a file and a value, a file that is missing and an empty one are mistakes, each in one line', () => {
    const read = () =>
      readEnv({
        NORI_DATA_DIR: dataDir,
        BOT_TOKEN: 'hunter2',
        BOT_TOKEN_FILE: write('\n'),
        PIXAI_API_KEY_FILE: join(dataDir, 'a-secret'),
        IMAGINE_API_KEY_FILE: join(dataDir, 'missing'),
        KUSA_API_KEY_FILE: dataDir,
      });

    expect(read).toThrow(
      /^BOT_TOKEN_FILE: must not be set when BOT_TOKEN is\nPIXAI_API_KEY_FILE: the file \S+ is empty\nIMAGINE_API_KEY_FILE: the file cannot be read: ENOENT[^\n]+\nKUSA_API_KEY_FILE: the file cannot be read: EISDIR[^\n]+$/,
    );
    expect(read).not.toThrow(/hunter2/);
  });

  test('other variables are not read from files', () => {
    expect(readEnv({ NORI_DATA_DIR: dataDir, PORT_FILE: write('3000') }).port).toBe(8080);
  });

  test.each(secretNames)('a wrong %s is not repeated, be it set or in a file', (name) => {
    const value = 'hunter 2\u0001';
    const others = { DATABASE_URL: 'postgres://nori@localhost/nori', NATS_URL: 'nats://localhost' };
    const variables = { NORI_DATA_DIR: dataDir, ...(name in others ? {} : others) };
    const readWith = (given: Record<string, string>) => () => readEnv({ ...variables, ...given });

    // Some accept every text, and then the variables beside them are missing.
    for (const read of [
      readWith({ [name]: value }),
      readWith({ [`${name}_FILE`]: write(value) }),
    ]) {
      expect(read).toThrow(EnvironmentMistake);
      expect(read).not.toThrow(/hunter/);
    }
  });
});

test('the table of the README has every variable that the server reads, in the same words', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const rows = new Map(
    [...readme.matchAll(/^\| `([A-Z\d_]+)` +\| (.*?) +\|$/gm)].map(([, name, text]) => [
      name,
      text,
    ]),
  );

  for (const [name, sentence] of Object.entries(environmentVariables)) {
    expect(rows.get(name)).toBe(sentence);
  }
});

test('the example file names every variable that the server reads, and no other', () => {
  const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const named = [...example.matchAll(/^#?([A-Z\d_]+)=/gm)].map(([, name]) => name);

  expect(named).toEqual(Object.keys(environmentVariables));
  for (const sentence of Object.values(environmentVariables)) {
    expect(example).toContain(sentence);
  }
});
