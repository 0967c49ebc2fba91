/** Measures what calls and updates cost, for `npm run bench:scale`: in CPU time of the servers and of their database. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Database } from '#server/db/client';
import { type BotApi, startBotApi } from '#tests/bot-api-server';
import { samples } from '#tests/sample-messages';
import { findFreePort } from '#tests/server-process';

import { type BotLedger, createBotLedger } from '../bot-ledger.ts';
import { createPost } from '../bot-load.ts';
import { root } from '../run.mjs';
import { Stop } from '../say.mjs';
import { type Machine, readCpuSeconds, type Role, startMachine, until } from './machines.ts';
import { getChatId, getUserId } from './rows.ts';

export const folder = path.join(root, 'test-results', 'bench-scale');
/** Calls at the same time. */
const concurrency = 8;
/** Code that ran less often is not compiled yet. */
const warmUpCallsEach = 150;
/** Chats that are used, spread over all. */
const maxUsed = 500;
export const blockedShare = 0.1;
const dayMs = 86_400_000;
const secretKey = 'a-key-of-the-bench-with-32-characters';
const variables = {
  SECRET_KEY: secretKey,
  BOT_MODE: 'webhook',
  PUBLIC_URL: 'https://nori.example.org',
  ADDRESS_LIMIT_FACTOR: '1000000',
  CALLS_PER_MINUTE: '100000000',
  NORI_LANGUAGES: 'en',
  LOG_LEVEL: 'warn',
};

/** A database with the servers and the stand-in of Telegram that belong to it. */
export type Side = {
  readonly name: 'SQLite' | 'PostgreSQL';
  readonly api: BotApi;
  readonly ledger: BotLedger;
  /** Counts the messages, as no number comes twice in a chat. */
  readonly post: ReturnType<typeof createPost>;
  readonly open: () => Database;
  /** CPU seconds and statements of the database's own processes. */
  readonly read: () => Promise<{ readonly cpu: number; readonly statements: number }>;
  readonly start: (role: Role, name: string) => Promise<Machine>;
  readonly close: () => Promise<void>;
};

type SideOptions = Pick<Side, 'name' | 'open' | 'read'> & {
  readonly dataDir: string;
  /** The variables that name the database. */
  readonly database: Readonly<Record<string, string>>;
};

async function startTelegram() {
  const ledger = createBotLedger();
  const api = await startBotApi({ onCall: ({ method, body }) => ledger.recordCall(method, body) });
  return { api, ledger };
}

export async function startSide({ name, dataDir, database, ...tools }: SideOptions): Promise<Side> {
  const { api, ledger } = await startTelegram();
  return {
    name,
    api,
    ledger,
    post: createPost(api.updates.push, ledger),
    ...tools,
    start: async (role, machineName) =>
      startMachine({
        name: machineName,
        role,
        port: await findFreePort(),
        logFile: path.join(folder, `${machineName}.log`),
        variables: {
          ...variables,
          ...database,
          NORI_DATA_DIR: dataDir,
          BOT_TOKEN: api.token,
          TELEGRAM_API_ROOT: api.apiRoot,
        },
      }),
    close: api.close,
  };
}

export type Used = {
  readonly chatId: number;
  readonly userId: number;
  readonly token: string;
  readonly settings: { isBlocked: boolean };
};

/** Chats that are spread over all, each with a session of its owner; Telegram knows them. */
export async function prepareUsed(side: Side, size: number): Promise<readonly Used[]> {
  const count = Math.min(size, maxUsed);
  const used = Array.from({ length: count }, (_, order) => {
    const index = Math.floor((order * size) / count);
    const token = createHash('sha256').update(`token ${index}`).digest('base64url');
    const settings = { isBlocked: false };
    return { chatId: getChatId(index), userId: getUserId(index), token, settings };
  });
  for (const { chatId, userId } of used) {
    side.api.addChat({ id: chatId, creator: userId });
  }
  const database = side.open();
  const now = Date.now();
  await database.db
    .insertInto('sessions')
    .values(
      used.map(({ userId, token }) => ({
        id: `bench-${userId}`,
        token_hash: createHash('sha256').update(token).digest('hex'),
        telegram_id: userId,
        device: 'Bench',
        address_prefix: '',
        created_at: now,
        last_seen_at: now,
        expires_at: now + dayMs,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  await database.close();
  return used;
}

type Call = { readonly method: string; readonly path: string; readonly body?: object };

const readCall = ({ chatId }: Used): Call => ({ method: 'GET', path: `/chats/${chatId}` });

/** Each call changes something. */
function writeCall({ chatId, settings }: Used): Call {
  settings.isBlocked = !settings.isBlocked;
  return {
    method: 'PUT',
    path: `/chats/${chatId}/topics/5/settings`,
    body: { setting_name: 'video_blocked', value: settings.isBlocked },
  };
}

export type Figure = {
  readonly chats: number;
  readonly side: string;
  readonly what: string;
  readonly count: number;
  /** CPU seconds. */
  readonly serverCpu: number;
  readonly databaseCpu: number;
  readonly statements: number;
  readonly waits: readonly number[];
};

export type Target = {
  /** How many calls or updates are measured. */
  readonly count: number;
  readonly chats: number;
  readonly side: Side;
  readonly name: string;
  readonly used: readonly Used[];
};

const sumCpu = (machines: readonly Machine[]) =>
  machines.reduce((sum, { pid }) => sum + readCpuSeconds(pid()), 0);

/** Sends calls to the processes in turn, and returns what they cost. */
export async function measureCalls(
  { side, used, name, chats, count }: Target,
  machines: readonly Machine[],
  { what, toCall }: { readonly what: string; readonly toCall: (used: Used) => Call },
): Promise<Figure> {
  const waits: number[] = [];

  async function callOne(number: number): Promise<void> {
    const [one] = used.slice((number * 7919) % used.length);
    const [machine] = machines.slice(number % machines.length);
    if (one === undefined || machine === undefined) {
      throw new Stop('there is no chat to call.');
    }
    const { method, path: address, body } = toCall(one);
    const startedAt = performance.now();
    const reply = await fetch(`${machine.url}/backend${address}`, {
      method,
      headers: { Authorization: `Bearer ${one.token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    waits.push(performance.now() - startedAt);
    if (!reply.ok) {
      throw new Stop(`${name}: ${method} ${address} was refused: ${reply.status} ${text}`);
    }
  }

  const send = async (from: number, to: number) => {
    let next = from;
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        while (next < to) {
          const number = next;
          next += 1;
          await callOne(number);
        }
      }),
    );
  };
  const warmUps = warmUpCallsEach * machines.length;
  await send(0, warmUps);
  waits.length = 0;
  const [before, cpuBefore] = [await side.read(), sumCpu(machines)];
  await send(warmUps, warmUps + count);
  const [after, cpuAfter] = [await side.read(), sumCpu(machines)];
  return {
    chats,
    side: name,
    what,
    count,
    serverCpu: cpuAfter - cpuBefore,
    databaseCpu: after.cpu - before.cpu,
    statements: after.statements - before.statements,
    waits: waits.toSorted((one, other) => one - other),
  };
}

/** Resolves when the processes have nothing to do any more. */
export async function untilQuiet(machines: readonly Machine[]): Promise<void> {
  let quiet = 0;
  while (quiet < 2) {
    const before = sumCpu(machines);
    await sleep(quietMs);
    quiet = sumCpu(machines) - before < maxQuietCpu * machines.length ? quiet + 1 : 0;
  }
}

const quietMs = 400;
/** Of each process, in that time. */
const maxQuietCpu = 0.03;

/** Members write in the chats; the webhook sends it to the web processes in turn. */
export async function measureUpdates(
  { side, used, name, chats, count }: Target,
  web: readonly Machine[],
  bots: readonly Machine[],
): Promise<Figure> {
  const { api, ledger, post } = side;
  const machines = [...new Set([...web, ...bots])];
  let turn = 0;
  api.updates.deliver(async (update, { secret_token: secret }) => {
    const [machine] = web.slice((turn += 1) % web.length);
    const reply = await fetch(`${machine?.url ?? ''}/backend/bot/updates`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Telegram-Bot-Api-Secret-Token': String(secret),
      },
      body: JSON.stringify(update),
    });
    await reply.arrayBuffer();
    return { status: reply.status, retryAfterS: Number(reply.headers.get('Retry-After') ?? 0) };
  });
  const write = async (messages: number) => {
    for (let number = 0; number < messages; number += 1) {
      const [one] = used.slice((number * 7919) % used.length);
      const isBlocked = number % (1 / blockedShare) === 0;
      const key = post.add(
        one?.chatId ?? 0,
        0,
        isBlocked ? samples.photo : samples.text,
        'message',
      );
      if (isBlocked) {
        ledger.expect(key);
      }
    }
    await until('the handling of the updates', async () => {
      await sleep(100);
      return api.updates.waiting().length === 0 && ledger.isDone();
    });
    await untilQuiet(machines);
  };
  await write(warmUpCallsEach * bots.length);
  ledger.clear();
  const [before, cpuBefore] = [await side.read(), sumCpu(machines)];
  await write(count);
  const [after, cpuAfter] = [await side.read(), sumCpu(machines)];
  const { waits } = ledger.totals();
  ledger.clear();
  return {
    chats,
    side: name,
    what: 'updates',
    count,
    serverCpu: cpuAfter - cpuBefore,
    databaseCpu: after.cpu - before.cpu,
    statements: after.statements - before.statements,
    waits,
  };
}

export const readPhase = { what: 'GET a chat', toCall: readCall };
export const writePhase = { what: 'PUT a setting', toCall: writeCall };
