/** A real server without a port: real database, routes and rules; only clock, random numbers, files and Telegram are replaced. */
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import sharp from 'sharp';
import * as v from 'valibot';
import { expect, onTestFinished } from 'vitest';

import { register, verifyOtp } from '#contract/endpoints/account';
import { type CallInput, type Endpoint, splitInput } from '#contract/endpoints/endpoint';
import { createApp } from '#server/app/app';
import { type Dependencies } from '#server/app/dependencies';
import { readEnv } from '#server/app/env';
import { runBot } from '#server/bot/bot';
import { type Pause } from '#server/bot/retry';
import { type Database, migrate, openDatabase } from '#server/db/client';
import { englishOnly } from '#server/lib/languages';
import { createLog, createSecurityLog } from '#server/lib/log';
import { type ObjectStore } from '#server/lib/object-store';
import { createPasswordHasher, type PasswordHasher } from '#server/lib/password-hasher';
import { secureRandom } from '#server/lib/random';
import { openKeptKeys } from '#server/services/key-rotation';
import { createServices } from '#server/services/services';
import { type SketchRequest } from '#server/upstream/images/sketch/index';
import { connectTelegramBot } from '#server/upstream/telegram/bot';
import { connectChatActions } from '#server/upstream/telegram/chat-actions';
import { connectTelegram, type OutgoingMessage } from '#server/upstream/telegram/telegram';

import { type BotApi } from './bot-api-server.ts';
import { dataFolders } from './setup.ts';

export type MemoryStore = ObjectStore & {
  readonly names: () => readonly string[];
  /** How many bytes are free from now on. */
  readonly setFree: (bytes: number) => void;
  /** From now on nothing can be written. */
  readonly fill: () => void;
};

export function createMemoryStore(): MemoryStore {
  /** Of a draft the bytes are put together when they are read. */
  const objects = new Map<string, Buffer | (() => Buffer)>();
  let isFull = false;
  let free = Number.MAX_SAFE_INTEGER;
  const throwIfFull = () => {
    if (isFull) {
      throw new Error('ENOSPC: no space left on device');
    }
  };
  return {
    open: async () => {
      const draft = `${randomUUID()}-draft.part`;
      const pieces: Uint8Array[] = [];
      const getBytes = () => Buffer.concat(pieces);
      let size = 0;
      objects.set(draft, getBytes);
      return {
        write: async (bytes) => {
          throwIfFull();
          pieces.push(Buffer.from(bytes));
          size += bytes.length;
        },
        size: () => size,
        read: async (target = Buffer.alloc(size)) => target.subarray(0, getBytes().copy(target)),
        keep: async (name) => {
          throwIfFull();
          objects.set(name, getBytes());
          objects.delete(draft);
        },
        discard: async () => void objects.delete(draft),
      };
    },
    names: () => [...objects.keys()],
    setFree: (bytes) => {
      free = bytes;
    },
    countFree: async () => free,
    fill: () => {
      isFull = true;
    },
    put: async (name, bytes) => {
      throwIfFull();
      objects.set(name, Buffer.from(bytes));
    },
    read: async (name, range) => {
      const found = objects.get(name);
      if (!found) {
        return undefined;
      }
      const bytes = typeof found === 'function' ? found() : found;
      const { start, end } = range?.(bytes.length) ?? { start: 0, end: bytes.length - 1 };
      return { bytes: bytes.subarray(start, end + 1), size: bytes.length };
    },
    remove: async (name) => void objects.delete(name),
    // Nothing here has an age.
    removeDrafts: async () =>
      [...objects.keys()]
        .filter((name) => name.endsWith('-draft.part'))
        .forEach((name) => objects.delete(name)),
    listNames: async function* () {
      yield* [...objects.keys()].filter((name) => !name.endsWith('-draft.part'));
    },
  };
}

type ServerOptions = Partial<Omit<Dependencies, 'env' | 'deliver' | 'clock'>> & {
  /** Runs the bot, too, as `BOT_MODE` says, by this Bot API. `pause` waits after failures. */
  readonly bot?: { readonly api: BotApi; readonly pause?: Pause };
  /** Environment variables, as a self-hoster would set them. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What its clock shows, in ms since 1970: `wait` alone moves it. Real processes on its database need the real time. */
  readonly startAt?: number;
};

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; undefined when there is no body. */
  readonly body: unknown;
};

type CallOptions = {
  readonly token?: string | undefined;
  readonly headers?: Record<string, string>;
};

export type TestServer = Awaited<ReturnType<typeof createTestServer>>;

/** One that no list of common passwords has. */
export const goodPassword = 'seven quiet otters';

/** Where the server answers an endpoint. */
export function getBase({ base }: Pick<Endpoint, 'base'>): string {
  return base === 'public' ? '/public-api' : '/backend';
}

/** Cheap hashes of the real algorithm, and how many were made or checked. */
function createCountingHasher(hasher = createPasswordHasher({ memory: 8, passes: 1 })) {
  let count = 0;
  const counted: PasswordHasher = {
    ...hasher,
    hash: (password) => {
      count += 1;
      return hasher.hash(password);
    },
    verify: (password, phc) => {
      count += 1;
      return hasher.verify(password, phc);
    },
  };
  return { counted, count: () => count };
}

/** The size and format of a sketch, in a colour that its other properties choose: a sketch takes a second. */
function paintOneColour(request: SketchRequest): Promise<Buffer> {
  const { width, height, format = 'png', quality } = request;
  const [r = 0, g = 0, b = 0] = createHash('sha256').update(JSON.stringify(request)).digest();
  const create = { width, height, channels: 3, background: { r, g, b } } as const;
  return sharp({ create }).toFormat(format, { quality }).toBuffer();
}

export async function createTestServer({
  variables,
  bot: botOptions,
  startAt = Date.parse('2026-11-21T12:00:00Z'),
  ...overrides
}: ServerOptions = {}) {
  const database = overrides.database ?? (await openTestDatabase());
  await migrate(database);

  const hasher = createCountingHasher(overrides.hasher);
  let now = startAt;
  const inbox: (OutgoingMessage & { readonly telegramId: number })[] = [];
  const logLines: string[] = [];
  const securityLines: string[] = [];
  const env = readEnv({
    SECRET_KEY: 'a-key-of-tests-with-32-characters',
    NORI_DATA_DIR: join(dataFolders, randomUUID()),
    // Whatever is installed here, tests get samples unless they say otherwise.
    SPEECH_COMMAND: '/nonexistent/espeak-ng',
    // The clock stands still, so that all calls of a test are made in one minute.
    CALLS_PER_MINUTE: '1000000',
    ...(botOptions === undefined ? {} : botVariables(botOptions.api)),
    ...variables,
  });
  const log = createLog('info', { write: (line) => void logLines.push(line) });
  const random = overrides.random ?? secureRandom;
  const clock = () => now;
  const deps: Dependencies = {
    env,
    telegram: undefined,
    ...(botOptions === undefined ? {} : connectBoth(botOptions.api)),
    objects: createMemoryStore(),
    paint: paintOneColour,
    random,
    keptKeys: await openKeptKeys({ env, database, random, clock, log }),
    languages: englishOnly,
    log,
    securityLog: createSecurityLog({ write: (line) => void securityLines.push(line) }),
    ...overrides,
    hasher: hasher.counted,
    database,
    clock,
    deliver: (telegramId, message) => void inbox.push({ telegramId, ...message }),
  };
  const services = createServices(deps);
  const said: string[] = [];
  const bot = runBot(deps, services, { say: (line) => void said.push(line), ...botOptions });
  bot?.start();
  const app = createApp(deps, services, bot?.webhook);

  async function request(path: string, init?: RequestInit): Promise<Reply> {
    const response = await app.request(path, init);
    const text = await response.text();
    const isJson = response.headers.get('Content-Type')?.includes('application/json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : isJson ? JSON.parse(text) : text,
    };
  }

  /** Calls an endpoint as the client does: every input in the place the contract names. */
  function call<E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    { token, headers }: CallOptions = {},
  ): Promise<Reply> {
    const { path, query, body } = splitInput(endpoint, input);
    const search = new URLSearchParams(query).toString();
    const hasBody = Object.keys(body).length > 0;
    const isForm = endpoint.isForm === true;
    return request(`${getBase(endpoint)}${path}${search === '' ? '' : `?${search}`}`, {
      method: endpoint.method,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(hasBody && !isForm ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      ...(hasBody ? { body: isForm ? toForm(body) : JSON.stringify(body) } : {}),
    });
  }

  /** The newest code that reached this person by the console. */
  function readCode(telegramId: number): string {
    const code = inbox.findLast(
      (message) => message.telegramId === telegramId && message.code,
    )?.code;
    if (code === undefined) {
      throw new Error(`No code reached ${telegramId}`);
    }
    return code;
  }

  /** Makes an account through the front door and returns its session token. */
  async function signUp(telegramId: number, password = goodPassword): Promise<string> {
    const email = `person${telegramId}@example.org`;
    const { body } = await call(register, { telegram_id: String(telegramId), email, password });
    const { attempt } = v.parse(v.object({ attempt: v.string() }), body);
    const verified = await call(verifyOtp, {
      telegram_id: String(telegramId),
      otp_code: readCode(telegramId),
      attempt,
    });
    return v.parse(verifyOtp.output, verified.body).access_token;
  }

  return {
    app,
    deps,
    services,
    database,
    db: database.db,
    /** What the console showed to the operator of a server without a bot. */
    inbox,
    /** Everything that was logged. */
    logLines,
    /** The log of security events. */
    securityLines,
    /** What the bot told the operator. */
    said,
    request,

    call,
    readCode,
    signUp,

    /** Lets time pass, in milliseconds. */
    wait(ms: number) {
      now += ms;
    },
    now: () => now,
    /** How many password hashes were made or checked so far. */
    hashings: hasher.count,

    stopBot: async () => bot?.stop(),

    /** Resolves when every update that the bot has received is handled. */
    handled: () =>
      expect
        .poll(
          () =>
            database.db
              .selectFrom('bot_inbox')
              .select('update_id')
              .where('handled_at', 'is', null)
              .execute(),
          { interval: 5, timeout: 25_000 },
        )
        .toEqual([]),

    close: async () => {
      await bot?.stop();
      await services.chatEvents.stop();
      await database.close();
    },
  };
}

function botVariables({ token, apiRoot }: BotApi) {
  return { BOT_TOKEN: token, TELEGRAM_API_ROOT: apiRoot, BOT_MODE: 'polling' };
}

function connectBoth({ token, apiRoot }: BotApi) {
  return {
    telegram: connectTelegram({ token, apiRoot }),
    telegramBot: connectTelegramBot({ token, apiRoot }),
    chatActions: connectChatActions({ token, apiRoot }),
  };
}

function toForm(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, value instanceof Blob ? value : String(value));
  }
  return form;
}

/** A database of its own on a PostgreSQL. */
export async function makeDatabase(
  url: string,
): Promise<{ readonly url: string; readonly drop: () => Promise<void> }> {
  // A schema of its own would not do: the migrator finds its tables in any schema, also another's.
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const run = async (text: string) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  await run(`create database ${name}`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  return { url: address.toString(), drop: () => run(`drop database ${name} with (force)`) };
}

/** A fresh database: in memory, or one of its own on the PostgreSQL that `TEST_DATABASE_URL` names. */
export async function openTestDatabase(
  url = process.env['TEST_DATABASE_URL'],
  onStatement?: (sql: string) => void,
): Promise<Database> {
  if (url === undefined || url === '') {
    return openDatabase({ onStatement });
  }
  const { url: address, drop } = await makeDatabase(url);
  const database = openDatabase({ url: address, onStatement });
  // Closing drops the database: once, and also when the test forgets it.
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= database.close().then(drop);
    return closing;
  };
  onTestFinished(close);
  return { ...database, close };
}

export const ada = 123_456_789;
export const adaId = String(ada);
export const minute = 60_000;

/** Registers as a user does in a browser, which keeps the attempt. */
export async function registerAs(
  server: TestServer,
  password = goodPassword,
  email = 'ada@example.org',
) {
  const reply = await server.call(register, { telegram_id: adaId, email, password });
  const { attempt } = v.parse(v.object({ attempt: v.string() }), reply.body);
  return { attempt, code: server.inbox.at(-1)?.code ?? 'none', reply };
}

export function verify(server: TestServer, otp_code: string, attempt?: string) {
  return server.call(verifyOtp, { telegram_id: adaId, otp_code, attempt });
}

/** Six digits, but not these. */
export function anotherThan(code: string, step = 1): string {
  return String((Number(code) + step) % 1_000_000).padStart(6, '0');
}
