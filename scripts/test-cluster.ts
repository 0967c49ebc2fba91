/**
 * `npm run test:cluster`: two web, two bot and two worker processes behind a balancer, on PostgreSQL, an S3 service and NATS,
 * under load. Every ten seconds a random process is killed, frozen or restarted; PostgreSQL is restarted twice, and the bucket
 * is away for a while. At the end nothing that was acknowledged may be lost, done twice, or unknown to a page.
 *
 * Options: `--minutes 5`, `--seed 1` (of the random choices), `--rate 40` (messages a second), `--without nats,s3`. What was
 * done when is in `test-results/cluster/chaos.log`, beside what each process has logged.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { openDatabase } from '#server/db/client';
import { startBalancer } from '#tests/balancer';
import { startBotApi } from '#tests/bot-api-server';
import { bucketVariables, startBucket } from '#tests/object-store';
import { startPostgres } from '#tests/postgres';
import { findFreePort } from '#tests/server-process';

import { createBotLedger, messageKey } from './lib/bot-ledger.ts';
import { createMembers, listToggled, makeWorld, openPage } from './lib/cluster/chats.ts';
import {
  checkPages,
  checkPictures,
  checkSessions,
  checkWrites,
  listTakeovers,
  printReport,
  publicUrl,
} from './lib/cluster/checks.ts';
import {
  type Machine,
  type Role,
  runChaos,
  startDoor,
  startMachine,
  startNats,
} from './lib/cluster/machines.ts';
import {
  changeSessions,
  createCaller,
  createRandom,
  logIn,
  makePictures,
  type Promises,
  readAround,
  setValues,
  toggleSettings,
} from './lib/cluster/people.ts';
import { root } from './lib/run.mjs';
import { giveUp, say, Stop } from './lib/say.mjs';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    rate: { type: 'string', default: '40' },
    without: { type: 'string', default: '' },
  },
});
const durationMs = Number(options.minutes) * 60_000;
const seed = Number(options.seed);
const rate = Number(options.rate);
const leftOut = new Set(options.without.split(',').filter(Boolean));

const userCount = 8;
const chatCount = 12;
const pagesPerUser = 2;
const chaosEveryMs = 10_000;
/** Shorter where the whole test is: the process has to go on while the others still work. */
const frozenMs = Math.min(90_000, durationMs * 0.3);
const bucketAwayMs = 20_000;
/** Longer than a page needs to notice that its connection is dead. */
const catchUpMs = 100_000;
const toggleEveryMs = 300;
/** Users may change values 300 times an hour, and ask for 120 pictures. */
const valuesEveryMs = Math.max(1500, durationMs / 280);
const picturesEveryMs = Math.max(30_000, durationMs / 100);
const blockEveryMs = 1000;
/** How long the balancer waits for the beginning of an answer: longer than a picture takes, shorter than a freeze. */
const balancerWaitsMs = 20_000;
/** Nothing more is handled for so long: the rest is lost. */
const settleMs = 90_000;
const interruptMs = 15_000;

const folder = path.join(root, 'test-results', 'cluster');

function openJournal() {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'chaos.log');
  const startedAt = performance.now();
  const faults: string[] = [];
  const note = (line: string) => {
    const text = `${new Date().toISOString()} +${((performance.now() - startedAt) / 1000).toFixed(2)} s  ${line}`;
    fs.appendFileSync(file, `${text}\n`);
    process.stdout.write(`${text}\n`);
  };
  return {
    file,
    faults,
    note,
    fault: (line: string) => {
      faults.push(line);
      note(`FAULT: ${line}`);
    },
  };
}

/** Telegram's side: when messages were written, and when their deletion was asked for. */
async function startTelegram() {
  const ledger = createBotLedger();
  const written = new Map<string, number>();
  const deleted: { readonly writtenAt: number; readonly at: number }[] = [];
  const calls = new Map<string, string[]>();
  const noteDeletion = (chatId: unknown, id: unknown) => {
    const key = messageKey(chatId, id);
    calls.set(key, [...(calls.get(key) ?? []), new Date().toISOString()]);
    const writtenAt = written.get(key);
    if (writtenAt !== undefined) {
      deleted.push({ writtenAt, at: performance.now() });
      written.delete(key);
    }
  };
  const api = await startBotApi({
    onCall: ({ method, body }) => {
      ledger.recordCall(method, body);
      const ids = method === 'deleteMessage' ? [body['message_id']] : body['message_ids'];
      if (method.startsWith('deleteMessage') && Array.isArray(ids)) {
        ids.forEach((id) => noteDeletion(body['chat_id'], id));
      }
    },
  });
  return {
    api,
    deleted,
    /** When the deletion of a message was asked for. */
    describeCalls: (key: string) => `${key} at ${(calls.get(key) ?? []).join(' and ')}`,
    /** When a message was written that is not deleted. */
    describe: (key: string) =>
      new Date(performance.timeOrigin + (written.get(key) ?? 0)).toISOString(),
    ledger: {
      ...ledger,
      recordMessage: (key: string) => {
        written.set(key, performance.now());
        ledger.recordMessage(key);
      },
    },
  };
}

type Cleanup = () => Promise<unknown> | void;

/** What was started, ended in the opposite order, also when the test is interrupted. */
function createCleanups() {
  const cleanups: Cleanup[] = [];
  return {
    add: (cleanup: Cleanup) => void cleanups.push(cleanup),
    run: async () => {
      for (const cleanup of cleanups.splice(0).toReversed()) {
        await cleanup();
      }
    },
  };
}

type Cleanups = ReturnType<typeof createCleanups>;

/** The services that the system has; each that is missing is named. */
async function startServices(dataDir: string, cleanups: Cleanups) {
  const postgres = await startPostgres({ settings: ['max_connections=200'] });
  if (postgres === undefined) {
    throw new Stop('without PostgreSQL there is nothing to test.');
  }
  cleanups.add(postgres.close);
  const variables: Record<string, string> = { DATABASE_URL: postgres.url };
  const skipped: string[] = postgres.local
    ? []
    : ['restarts of PostgreSQL: it is not this test’s own'];

  const bucket = leftOut.has('s3') ? undefined : await startBucket();
  let door: Awaited<ReturnType<typeof startDoor>> | undefined;
  if (bucket === undefined) {
    skipped.push('S3: pictures are in a shared folder');
  } else {
    cleanups.add(bucket.close);
    door = await startDoor(bucket.endpoint);
    cleanups.add(door.shut);
    Object.assign(variables, bucketVariables({ ...bucket, endpoint: door.url }));
  }

  const nats = leftOut.has('nats')
    ? { reason: 'left out by --without' }
    : await startNats(dataDir, await findFreePort());
  if (nats.found === undefined) {
    skipped.push(`NATS: updates are in PostgreSQL (${nats.reason})`);
  } else {
    cleanups.add(nats.found.stop);
    variables['NATS_URL'] = nats.found.url;
  }
  for (const line of skipped) {
    say(`skipped: ${line}.`);
  }
  return { postgres, door, variables };
}

const plan: readonly (readonly [name: string, role: Role])[] = [
  ['web-1', 'web'],
  ['web-2', 'web'],
  ['bot-1', 'bot'],
  ['bot-2', 'bot'],
  ['worker-1', 'worker'],
  ['worker-2', 'worker'],
];

async function startMachines(
  variables: Readonly<Record<string, string>>,
  cleanups: Cleanups,
): Promise<readonly Machine[]> {
  const machines: Machine[] = [];
  // One after the other: with two processors, six starts at once take as long.
  for (const [name, role] of plan) {
    const logFile = path.join(folder, `${name}.log`);
    const machine = await startMachine({
      name,
      role,
      port: await findFreePort(),
      variables,
      logFile,
    });
    cleanups.add(machine.end);
    machines.push(machine);
  }
  return machines;
}

type Scene = {
  readonly journal: ReturnType<typeof openJournal>;
  readonly telegram: Awaited<ReturnType<typeof startTelegram>>;
  readonly services: Awaited<ReturnType<typeof startServices>>;
  readonly machines: readonly Machine[];
  readonly world: Awaited<ReturnType<typeof makeWorld>>;
  readonly caller: ReturnType<typeof createCaller>;
};

async function prepare(cleanups: Cleanups): Promise<Scene> {
  const journal = openJournal();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'nori-cluster-'));
  cleanups.add(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  journal.note(`seed ${seed}, ${options.minutes} minutes; starting the services`);
  const telegram = await startTelegram();
  cleanups.add(telegram.api.close);
  const services = await startServices(dataDir, cleanups);
  const world = await makeWorld(services.postgres.url, { users: userCount, chats: chatCount });
  for (const { chatId, managers } of world.places) {
    const [creator, ...administrators] = managers;
    telegram.api.addChat({ id: chatId, creator, administrators, isForum: true });
  }
  journal.note('starting the processes');
  const machines = await startMachines(
    {
      ...services.variables,
      NORI_DATA_DIR: path.join(dataDir, 'shared'),
      SECRET_KEY: 'a-key-of-the-cluster-with-32-characters',
      BOT_TOKEN: telegram.api.token,
      TELEGRAM_API_ROOT: telegram.api.apiRoot,
      BOT_MODE: 'webhook',
      PUBLIC_URL: publicUrl,
      TRUST_PROXY: '1',
      ADDRESS_LIMIT_FACTOR: '1000',
      CALLS_PER_MINUTE: '1000000',
      NORI_LANGUAGES: 'en',
      DRAIN_SECONDS: '1',
    },
    cleanups,
  );
  const balancer = await startBalancer({
    targets: machines.filter(({ role }) => role === 'web').map(({ url }) => url),
    answerWithinMs: balancerWaitsMs,
  });
  cleanups.add(balancer.close);
  const caller = createCaller(balancer.url, journal);
  for (const user of world.users) {
    user.token = await logIn({ caller }, user);
  }
  telegram.api.updates.deliver(async (update, { secret_token: secret }) => {
    const answer = await caller.call({
      method: 'POST',
      path: '/backend/bot/updates',
      body: update,
      headers: { 'X-Telegram-Bot-Api-Secret-Token': String(secret) },
    });
    const retryAfterS = Number(answer?.headers.get('Retry-After') ?? 0);
    return { status: answer?.status ?? 0, retryAfterS };
  });
  return { journal, telegram, services, machines, world, caller };
}

type Load = Pick<Scene, 'journal' | 'telegram' | 'world' | 'caller'> & {
  readonly promises: Promises;
  readonly over: AbortSignal;
};

const random = (name: string) => createRandom(seed, name);

/** Everything that users, members and pages do until the time is over. */
function startLoad({ journal, telegram: { api, ledger }, world, caller, promises, over }: Load) {
  const { users, places } = world;
  const pages = users.flatMap((user) =>
    user.chats.slice(0, pagesPerUser).map((chatId, index) => {
      const name = `page ${index + 1} of ${user.telegramId}`;
      return openPage({ name, chatId, user }, { caller, journal, random: random(name) });
    }),
  );
  const members = createMembers({ api, ledger, places, random: random('members'), over });
  const work = [
    members.writeUntilOver(rate),
    members.blockMore(users, { caller, promises, breathMs: blockEveryMs }),
    ...users.flatMap((user, index) => {
      const tools = { caller, promises, random: random(`user ${index}`), over };
      const owned = places.flatMap(({ chatId, managers }) =>
        managers[0] === user.telegramId ? [chatId] : [],
      );
      return [
        toggleSettings(user, { places: listToggled(world, user), breathMs: toggleEveryMs }, tools),
        setValues(user, { chats: owned, breathMs: valuesEveryMs }, tools),
        readAround(user, tools),
        makePictures(user, picturesEveryMs, tools),
        changeSessions(user, tools),
      ];
    }),
  ];
  return { pages, members, done: Promise.all(work) };
}

/** Waits until what was written is handled, or cannot be any more. */
async function settle({ telegram: { api, ledger }, journal }: Scene): Promise<void> {
  let left = Infinity;
  let movedAt = performance.now();
  while (left > 0 && performance.now() - movedAt < settleMs) {
    const now = api.updates.waiting().length + ledger.missing().length;
    movedAt = now < left ? performance.now() : movedAt;
    left = Math.min(left, now);
    await sleep(100);
  }
  if (api.updates.waiting().length > 0) {
    journal.fault(`${api.updates.waiting().length} updates were not taken`);
  }
  // For deletions that should not happen, and for calls of which the caller is gone.
  await sleep(3000);
}

async function run(cleanups: Cleanups): Promise<readonly string[]> {
  const scene = await prepare(cleanups);
  const { journal, telegram, services, machines, world, caller } = scene;
  const promises: Promises = {
    settings: new Map(),
    values: new Map(),
    sessions: new Map(),
    pictures: new Map(),
  };
  const over = new AbortController();
  const load = startLoad({ journal, telegram, world, caller, promises, over: over.signal });
  cleanups.add(() => {
    over.abort();
    load.pages.forEach(({ leave }) => leave());
  });
  const startedAt = performance.now();
  const chaos = runChaos(
    { machines, ...services, journal, random: random('chaos'), over: over.signal },
    { durationMs, everyMs: chaosEveryMs, frozenMs, bucketAwayMs },
  );
  await sleep(durationMs);
  over.abort();
  journal.note('the time is over; what was begun is finished');
  await chaos.settled();
  await load.done;
  await settle(scene);

  const database = openDatabase({ url: services.postgres.url });
  cleanups.add(database.close);
  const tools = { database, promises, journal };
  const caughtUpMs = await checkPages(load.pages, tools, catchUpMs);
  load.pages.forEach(({ leave }) => leave());
  await checkWrites(tools);
  await checkSessions(tools, caller);
  await checkPictures(tools, { caller, users: world.users });
  const totals = telegram.ledger.totals();
  if (totals.missed > 0) {
    const missing = telegram.ledger.missing().map((key) => `${key} of ${telegram.describe(key)}`);
    journal.fault(`${totals.missed} blocked messages were not deleted: ${missing.join(', ')}`);
  }
  if (totals.wrong > 0) {
    journal.fault(`${totals.wrong} messages were deleted that were not blocked`);
  }
  // At most 1 in 1,000; in a short test one is allowed.
  if (totals.twice > Math.ceil(totals.blocked / 1000)) {
    const repeated = telegram.ledger.repeated().map((key) => telegram.describeCalls(key));
    journal.fault(
      `${totals.twice} of ${totals.blocked} deletions were asked for twice: ${repeated.join('; ')}`,
    );
  }
  listTakeovers(chaos.events, telegram.deleted).forEach((line) => journal.note(line));
  printReport({
    ...chaos.counts,
    seconds: Math.round((performance.now() - startedAt) / 1000),
    caller,
    promises,
    totals,
    pages: load.pages,
    members: load.members.counts(),
    caughtUpMs,
  });
  return journal.faults;
}

async function main(): Promise<void> {
  const cleanups = createCleanups();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      // Whatever is still running ends with this process.
      setTimeout(() => process.exit(130), interruptMs).unref();
      void cleanups.run().finally(() => process.exit(130));
    });
  }
  let faults: readonly string[];
  try {
    faults = await run(cleanups);
  } finally {
    await cleanups.run();
  }
  if (faults.length > 0) {
    throw new Stop(
      `${faults.length} faults, with --seed ${seed}; see ${folder}:\n${faults.slice(0, 30).join('\n')}`,
    );
  }
  say(
    `nothing was lost, doubled or missed. ${os.availableParallelism()} cores, load ${os
      .loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}.`,
  );
  process.exit(0);
}

await main().catch(giveUp);
