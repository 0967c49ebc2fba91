/** A raid on a group whose bot is the real server: who comes, what the server does, and what is checked at the end. */
import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';

import { openDatabase } from '#server/db/client';
import { type BotApi } from '#tests/bot-api-server';
import { type TestPostgres } from '#tests/postgres';
import { findFreePort } from '#tests/server-process';

import { makeChats } from '../bot-world.ts';
import { type Machine, readCpuSeconds, startMachine } from '../cluster/machines.ts';
import { createRandom } from '../cluster/people.ts';
import { call } from '../demo-server.ts';
import { root } from '../run.mjs';
import { actOut, type Answer, makeNewcomers, type Newcomer, type Numbers } from './accounts.ts';
import { type RaidCheck, checkRaid } from './checks.ts';
import { createGateVisits } from './gate.ts';
import { type Account, raidChat, type RaidGroup, startRaidGroup } from './group.ts';

export type RaidOptions = Numbers & {
  readonly mode: 'task' | 'gate';
  /** With PostgreSQL, two processes take updates. */
  readonly postgres: TestPostgres | undefined;
  /** Kills a process in the middle, and starts it again. */
  readonly isKilled: boolean;
  readonly seed: number;
  readonly latencyMs: number;
  readonly isEphemeralCounted: boolean;
  /** How long who joins has for the task. */
  readonly captchaSeconds: number;
};

/** What the servers log; it stays when they do not start. */
const logFolder = path.join(root, 'test-results', 'raid', String(process.pid));
const secretKey = 'a-key-of-the-bench-with-32-characters';
const lookEveryMs = 100;
/** Nothing more comes of what happened before so long. */
const quietMs = 3000;
/** How much longer than everybody's time for the task the raid may take. */
const spareMs = 60_000;

export async function runRaid(options: RaidOptions): Promise<readonly RaidCheck[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nori-raid-'));
  const group = await startRaidGroup({
    random: createRandom(options.seed, 'group'),
    latencyMs: options.latencyMs,
    isEphemeralCounted: options.isEphemeralCounted,
    isGuarded: options.mode === 'gate',
  });
  const place = await makePlace(folder, options.postgres);
  const token = await makeChats(place, 1);
  const servers = await startServers({ folder, api: group.api, url: place.url });
  try {
    group.api.updates.deliver(async (update, { secret_token }) => {
      const { status, headers } = await servers.send('/bot/updates', update, {
        'X-Telegram-Bot-Api-Secret-Token': String(secret_token),
      });
      return { status, retryAfterS: Number(headers.get('Retry-After') ?? 0) };
    });
    await call(servers.url, `/chats/${raidChat}/values`, {
      method: 'PUT',
      token,
      body: {
        kind: 'values',
        values: {
          chat: {
            captcha_mode: options.mode,
            captcha_seconds: options.captchaSeconds,
            flood: { count: 8, seconds: 10 },
          },
        },
      },
    });
    const checks = await raid(options, { group, servers });
    const complaints = listComplaints(servers.readLogs());
    fs.rmSync(logFolder, { recursive: true });
    return [...checks, ...complaints];
  } finally {
    await servers.end();
    await group.api.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function makePlace(
  folder: string,
  postgres: TestPostgres | undefined,
): Promise<{ readonly dataDir: string; readonly url?: string }> {
  const dataDir = path.join(folder, 'data');
  fs.mkdirSync(dataDir);
  if (postgres === undefined) {
    return { dataDir };
  }
  const name = `raid_${randomUUID().replaceAll('-', '')}`;
  const admin = openDatabase({ url: postgres.url });
  await sql.raw(`create database ${name}`).execute(admin.db);
  await admin.close();
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return { dataDir, url: url.toString() };
}

const logLine = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ level: v.unknown(), msg: v.string() }),
);

/** What the servers have logged as warnings and errors, each sentence once. */
function listComplaints(log: string): readonly RaidCheck[] {
  const times = new Map<string, number>();
  for (const line of log.split('\n').filter(Boolean)) {
    const { success, output } = v.safeParse(logLine, line);
    const sentence = success ? output.msg : line;
    times.set(sentence, (times.get(sentence) ?? 0) + 1);
  }
  return [...times].map(([sentence, count]) => ({
    what: 'the server said',
    found: `${sentence} (${count})`,
  }));
}

type Servers = Awaited<ReturnType<typeof startServers>>;

/** One server, or with PostgreSQL two, behind an address that tries the next when one does not answer. */
async function startServers({
  folder,
  api,
  url,
}: {
  readonly folder: string;
  readonly api: BotApi;
  readonly url: string | undefined;
}) {
  const machines: Machine[] = [];
  fs.rmSync(logFolder, { recursive: true, force: true });
  fs.mkdirSync(logFolder, { recursive: true });
  for (const name of url === undefined ? ['one'] : ['one', 'two']) {
    machines.push(
      await startMachine({
        name,
        role: 'all',
        port: await findFreePort(),
        logFile: path.join(logFolder, `${name}.log`),
        variables: {
          NORI_DATA_DIR: path.join(folder, url === undefined ? 'data' : name),
          ...(url === undefined ? {} : { DATABASE_URL: url }),
          SECRET_KEY: secretKey,
          BOT_TOKEN: api.token,
          TELEGRAM_API_ROOT: api.apiRoot,
          BOT_MODE: 'webhook',
          PUBLIC_URL: 'https://nori.example.org',
          CALLS_PER_MINUTE: '1000000',
          ADDRESS_LIMIT_FACTOR: '1000',
          NORI_LANGUAGES: 'en',
          LOG_LEVEL: 'warn',
        },
      }),
    );
  }
  let cpuBefore = 0;
  let turn = 0;
  const readCpu = () => machines.reduce((sum, { pid }) => sum + readCpuSeconds(pid()), 0);
  const first = machines.slice(0, 1);

  return {
    url: first.map((machine) => machine.url).join(''),
    readCpu: () => cpuBefore + readCpu(),

    send: async (
      address: string,
      body: unknown,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<Response> => {
      turn += 1;
      let failure: unknown;
      for (const index of machines.keys()) {
        const machine = machines[(turn + index) % machines.length];
        try {
          return await fetch(`${machine?.url ?? ''}/backend${address}`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', ...headers },
            body: JSON.stringify(body),
          });
        } catch (error) {
          failure = error;
        }
      }
      throw failure;
    },

    /** Kills the one that was started first, which leads, and starts it again. */
    killFirst: async (): Promise<void> => {
      for (const { kill, pid } of first) {
        cpuBefore += readCpuSeconds(pid());
        await kill();
      }
    },
    end: async (): Promise<void> => {
      await Promise.all(machines.map(({ end }) => end()));
    },
    readLogs: (): string =>
      machines
        .map(({ name }) => fs.readFileSync(path.join(logFolder, `${name}.log`), 'utf8'))
        .join(''),
  };
}

const regularCount = 5;
const firstRegular = 600_000_001;
const regularPauseMs = 4000;

async function raid(
  options: RaidOptions,
  { group, servers }: { readonly group: RaidGroup; readonly servers: Servers },
): Promise<readonly RaidCheck[]> {
  const random = createRandom(options.seed, 'accounts');
  const newcomers = makeNewcomers(options, random);
  newcomers.forEach((newcomer) => group.addAccount(newcomer));
  const regulars = Array.from({ length: regularCount }, (_, index): Account => ({
    id: firstRegular + index,
    name: `Rita ${index}`,
    isPerson: true,
  }));
  regulars.forEach((regular) => group.addMember(regular));
  const answers: Answer[] = [];
  const cpuBefore = servers.readCpu();
  const startedAt = performance.now();
  const over = new AbortController();
  const deadline = startedAt + (options.seconds + 2 * options.captchaSeconds) * 1000 + spareMs;
  const tools = {
    group,
    answers,
    gate: options.mode === 'gate' ? createGateVisits({ group, send: servers.send }) : undefined,
    over: over.signal,
    writesForMs: options.seconds * 500,
  };
  const acting = newcomers.map((newcomer) =>
    actOut(newcomer, { ...tools, random: createRandom(options.seed, newcomer.name) }).catch(
      (error: unknown) => {
        if (!over.signal.aborted) {
          throw error;
        }
      },
    ),
  );
  const talking = regulars.map((regular) =>
    talk(regular, group, startedAt + options.seconds * 1000),
  );
  if (options.isKilled) {
    await sleep(options.seconds * 500);
    await servers.killFirst();
  }
  await Promise.all(talking);
  await Promise.race([Promise.all(acting), sleep(deadline - performance.now())]);
  await untilQuiet({ group, newcomers, deadline });
  over.abort();
  await Promise.all(acting);
  return checkRaid({
    group,
    newcomers,
    answers,
    startedAt,
    cpuSeconds: servers.readCpu() - cpuBefore,
  });
}

/** Members from before the raid go on to talk. */
async function talk(regular: Account, group: RaidGroup, until: number): Promise<void> {
  while (performance.now() < until) {
    group.write(regular, { text: 'As I was saying before all of this began …' });
    await sleep(regularPauseMs);
  }
}

/** Waits until the raiders are out, and the bot has done nothing for a while; or until the deadline. */
async function untilQuiet({
  group: { api, ...group },
  newcomers,
  deadline,
}: {
  readonly group: RaidGroup;
  readonly newcomers: readonly Newcomer[];
  readonly deadline: number;
}): Promise<void> {
  const isOpen = (id: number) =>
    group.isWaiting(id) ||
    (group.isIn(id) && !group.steps.some((step) => step.id === id && step.what === 'let in'));
  let lastCalls = -1;
  let quietSince = performance.now();
  while (performance.now() < deadline) {
    const isAnything =
      api.updates.waiting().length > 0 ||
      newcomers.some(({ id, isPerson }) => !isPerson && isOpen(id));
    if (isAnything || api.calls.length !== lastCalls) {
      quietSince = performance.now();
      lastCalls = api.calls.length;
    }
    if (performance.now() - quietSince > quietMs) {
      return;
    }
    await sleep(lookEveryMs);
  }
}
