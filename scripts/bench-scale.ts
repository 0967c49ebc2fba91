/**
 * `npm run bench:scale`: what requests and updates cost with 1, 2 and 4 web processes and bot workers on one PostgreSQL, beside
 * one process on SQLite in the same run, with more and more chats in the database. What counts is the CPU time of the servers
 * and of PostgreSQL, as other work on the machine does not change it much; times of answers are for information. At the end
 * every statement that was sent is explained on the largest database, and the size of each row is read.
 *
 * Options: `--chats 1000,100000,1000000`, `--sqlite-chats 100000` (no more on SQLite), `--rounds 2`, `--calls 400`,
 * `--updates 1000`, `--quick` (one round with 1,000 chats). The figures are also in `test-results/bench-scale.json`.
 */
import { sql } from 'kysely';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { type Database, migrate, openDatabase } from '#server/db/client';
import { createGenerationJobRepository } from '#server/db/generation-jobs';
import { createPictureRepository } from '#server/db/generations';
import { createDiskStore } from '#server/lib/object-store';
import { sweep } from '#server/services/maintenance';
import { startPostgres } from '#tests/postgres';
import { findFreePort } from '#tests/server-process';

import { type Machine, readFamilyCpuSeconds, startNats, until } from './lib/cluster/machines.ts';
import {
  blockedShare,
  type Figure,
  folder,
  measureCalls,
  measureUpdates,
  prepareUsed,
  readPhase,
  type Side,
  startSide,
  type Target,
  untilQuiet,
  writePhase,
} from './lib/cluster/measure.ts';
import { addChats, explainSent, readSizes } from './lib/cluster/rows.ts';
import { root } from './lib/run.mjs';
import { giveUp, say, Stop } from './lib/say.mjs';
import { readStatements } from './lib/statement-counts.ts';

const { values: options } = parseArgs({
  options: {
    chats: { type: 'string', default: '1000,100000,1000000' },
    'sqlite-chats': { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '2' },
    calls: { type: 'string', default: '400' },
    updates: { type: 'string', default: '1000' },
    quick: { type: 'boolean', default: false },
  },
});
const sizes = options.quick ? [1000] : options.chats.split(',').map(Number);
const maxOnSqlite = Number(options['sqlite-chats']);
const rounds = options.quick ? 1 : Number(options.rounds);
const calls = Number(options.calls);
const updates = Number(options.updates);

const processCounts = [1, 2, 4] as const;
const outputFile = path.join(root, 'test-results', 'bench-scale.json');

async function measureSqlite(target: Omit<Target, 'name' | 'count'>): Promise<readonly Figure[]> {
  const named = { ...target, name: 'SQLite, 1 process', count: calls };
  const machine = await target.side.start('all', 'sqlite');
  try {
    await untilListening(target.side);
    return [
      await measureCalls(named, [machine], readPhase),
      await measureCalls(named, [machine], writePhase),
      await measureUpdates({ ...named, count: updates }, [machine], [machine]),
    ];
  } finally {
    await machine.end();
  }
}

/** The webhook is set when the bot is ready. */
const untilListening = ({ api }: Side) =>
  until('setting the webhook', async () => api.updates.webhook() !== undefined);

async function measurePostgres(target: Omit<Target, 'name' | 'count'>): Promise<readonly Figure[]> {
  const { side } = target;
  const figures: Figure[] = [];
  const web: Machine[] = [];
  const bots: Machine[] = [];
  try {
    for (let number = 1; number <= Math.max(...processCounts); number += 1) {
      web.push(await side.start('web', `web-${number}`));
    }
    for (const count of processCounts) {
      const named = { ...target, name: `PostgreSQL, ${count} web`, count: calls };
      const some = web.slice(0, count);
      figures.push(await measureCalls(named, some, readPhase));
      figures.push(await measureCalls(named, some, writePhase));
    }
    for (const count of processCounts) {
      while (bots.length < count) {
        bots.push(await side.start('bot', `bot-${bots.length + 1}`));
      }
      await untilListening(side);
      await untilQuiet([...web, ...bots]);
      const named = { ...target, name: `PostgreSQL, ${count} bot`, count: updates };
      figures.push(await measureUpdates(named, web.slice(0, 2), bots));
    }
    await readEverything(target, web);
  } finally {
    for (const machine of [...bots, ...web]) {
      await machine.end();
    }
  }
  return figures;
}

/** Calls what pages read, so that its statements are explained, too. */
async function readEverything({ used }: Pick<Target, 'used'>, [machine]: readonly Machine[]) {
  const [one] = used;
  const chat = `/chats/${one?.chatId}`;
  const parts = [
    '',
    '/values',
    '/changes',
    '/deletions',
    '/health',
    '/actions',
    '/warnings',
    '/approvals',
  ];
  const own = ['/chats', '/auth/me', '/auth/sessions', '/generations/history', '/auth/events'];
  for (const address of [...own, ...parts.map((part) => chat + part)]) {
    const reply = await fetch(`${machine?.url ?? ''}/backend${address}`, {
      headers: { Authorization: `Bearer ${one?.token ?? ''}` },
    });
    await reply.arrayBuffer();
    if (reply.status !== 200) {
      say(`not read: ${address} (${reply.status}).`);
    }
  }
}

/** CPU seconds and statements of this PostgreSQL so far. */
async function readPostgres(database: Database, pid: number) {
  const { rows } = await sql<{ calls: number }>`
    select coalesce(sum(calls), 0)::bigint as calls from pg_stat_statements`.execute(database.db);
  return { cpu: readFamilyCpuSeconds(pid), statements: rows[0]?.calls ?? 0 };
}

const postgresSettings = [
  'shared_preload_libraries=pg_stat_statements',
  'max_connections=300',
  'shared_buffers=1GB',
  'max_wal_size=4GB',
  // It would be counted with whatever is measured at that moment.
  'autovacuum=off',
];

type Cleanup = () => Promise<unknown> | void;

async function openSides(dataDir: string, cleanups: Cleanup[]) {
  const postgres = await startPostgres({ settings: postgresSettings });
  const { url, local } = postgres ?? {};
  if (postgres === undefined || url === undefined || local === undefined) {
    throw new Stop('this needs a PostgreSQL of its own: unset TEST_DATABASE_URL.');
  }
  cleanups.push(postgres.close);
  const database = openDatabase({ url });
  cleanups.push(database.close);
  await migrate(database);
  await sql`create extension pg_stat_statements`.execute(database.db);
  const nats = await startNats(dataDir, await findFreePort());
  if (nats.found === undefined) {
    say(`skipped: NATS, so that one bot worker leads and the others wait (${nats.reason}).`);
  } else {
    cleanups.push(nats.found.stop);
  }
  const sqliteDir = path.join(dataDir, 'sqlite');
  const onPostgres = {
    DATABASE_URL: url,
    ...(nats.found === undefined ? {} : { NATS_URL: nats.found.url }),
  };
  const sqlite = await startSide({
    name: 'SQLite',
    dataDir: sqliteDir,
    database: {},
    open: () => openDatabase({ dataDir: sqliteDir }),
    read: async () => ({ cpu: 0, statements: Number.NaN }),
  });
  const shared = await startSide({
    name: 'PostgreSQL',
    dataDir: path.join(dataDir, 'shared'),
    database: onPostgres,
    open: () => openDatabase({ url }),
    read: () => readPostgres(database, local.pid()),
  });
  cleanups.push(sqlite.close, shared.close);
  return { database, sqlite, shared };
}

/** Adds chats until there are so many, and returns the seconds that it took. */
async function grow(side: Side, from: number, to: number): Promise<void> {
  const startedAt = performance.now();
  const database = side.open();
  await migrate(database);
  await addChats(database, { from, to });
  if (side.name === 'PostgreSQL') {
    await sql`checkpoint`.execute(database.db);
  }
  await database.close();
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  say(`${side.name}: ${to} chats after ${seconds} s.`);
}

const perSecond = (count: number, cpu: number) => (cpu > 0 ? String(Math.round(count / cpu)) : '-');

function percentile(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}

/** The rounds of one figure together. */
function sumUp(figures: readonly Figure[]): readonly string[] {
  const [first] = figures;
  const sum = (get: (figure: Figure) => number) =>
    figures.reduce((total, figure) => total + get(figure), 0);
  const count = sum((figure) => figure.count);
  const [server, database] = [
    sum(({ serverCpu }) => serverCpu),
    sum(({ databaseCpu }) => databaseCpu),
  ];
  const statements = sum((figure) => figure.statements) / count;
  const waits = figures.flatMap((figure) => figure.waits).toSorted((one, other) => one - other);
  return [
    String(first?.chats),
    first?.side ?? '',
    first?.what ?? '',
    perSecond(count, server),
    perSecond(count, database),
    perSecond(count, server + database),
    Number.isNaN(statements) ? '-' : statements.toFixed(1),
    percentile(waits, 0.5),
    percentile(waits, 0.99),
  ];
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [head, head.map(() => '---'), ...rows];
  process.stdout.write(`\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`);
}

async function report({ database }: { readonly database: Database }, figures: readonly Figure[]) {
  const groups = Map.groupBy(figures, ({ chats, side, what }) => `${what}/${chats}/${side}`);
  printTable(
    [
      'chats',
      'processes',
      'what',
      'a CPU second of Node',
      'a CPU second of PostgreSQL',
      'of both',
      'statements each',
      'p50 ms',
      'p99 ms',
    ],
    [...groups.values()].map(sumUp),
  );
  const sizesOfTables = (await readSizes({ db: database.db })).filter(({ rows }) => rows >= 500);
  const largest = Math.max(...sizes);
  printTable(
    ['table', 'rows', 'rows a chat', 'bytes a row, with indexes', 'bytes a chat'],
    sizesOfTables.map(({ table, rows, bytes }) => [
      table,
      String(rows),
      (rows / largest).toFixed(1),
      (bytes / rows).toFixed(0),
      (bytes / largest).toFixed(0),
    ]),
  );
  return sizesOfTables;
}

/** Once a minute while there is room: no worker runs here that would store a picture. */
async function sumPictures(database: Database): Promise<void> {
  const startedAt = performance.now();
  await createPictureRepository(database.db).sumBytes();
  await createGenerationJobRepository(database.db).sumPictureBytes();
  say(`the bytes of all pictures are summed in ${Math.round(performance.now() - startedAt)} ms.`);
}

/** No call may read a growing table as a whole. What is done so once a minute, and by the sweeps every ten, is printed. */
async function checkPlans(database: Database, dataDir: string): Promise<readonly string[]> {
  const sent = await explainSent(database);
  say(`${sent.explained} statements were explained; ${sent.faults.length} read a large table.`);
  await sumPictures(database);
  await sweep({ database, clock: Date.now, objects: createDiskStore(path.join(dataDir, 'swept')) });
  const all = await explainSent(database);
  const bySweeps = all.faults.length - sent.faults.length;
  say(
    `${all.explained - sent.explained} more are of sweeps and sums; ${bySweeps} read a large table.`,
  );
  for (const statement of all.skipped) {
    say(`not explained: ${statement}`);
  }
  const known = new Set(sent.faults.map(({ statement }) => statement));
  for (const { statement, plan } of all.faults) {
    const origin = known.has(statement) ? 'calls' : 'sweeps and sums';
    process.stdout.write(`\n-- of the ${origin}\n${statement}\n${plan}\n`);
  }
  return sent.faults.map(({ statement }) => statement);
}

async function countStatements() {
  const postgres = await startPostgres();
  const onSqlite = await readStatements(async (onStatement) => openDatabase({ onStatement }));
  const onPostgres =
    postgres &&
    (await readStatements(async (onStatement) => openDatabase({ url: postgres.url, onStatement })));
  await postgres?.close();
  printTable(
    ['call', 'statements on SQLite', 'on PostgreSQL'],
    Object.entries(onSqlite).map(([what, { length }]) => [
      what,
      String(length),
      String(new Map(Object.entries(onPostgres ?? {})).get(what)?.length ?? '-'),
    ]),
  );
}

async function run(dataDir: string, cleanups: Cleanup[]): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  const sides = await openSides(dataDir, cleanups);
  const { database, sqlite, shared } = sides;
  const figures: Figure[] = [];
  let before = 0;
  for (const chats of sizes.toSorted((one, other) => one - other)) {
    const sidesNow = chats <= maxOnSqlite ? [sqlite, shared] : [shared];
    const targets: { chats: number; side: Side; used: Target['used'] }[] = [];
    for (const side of sidesNow) {
      await grow(side, before, chats);
      targets.push({ chats, side, used: await prepareUsed(side, chats) });
    }
    before = chats;
    for (let round = 1; round <= rounds; round += 1) {
      say(`${chats} chats, round ${round} of ${rounds} …`);
      for (const target of targets) {
        const measure = target.side === sqlite ? measureSqlite : measurePostgres;
        figures.push(...(await measure(target)));
      }
    }
  }
  await countStatements();
  const tables = await report(sides, figures);
  const conditions = {
    cores: os.availableParallelism(),
    load: os.loadavg(),
    node: process.versions.node,
    rounds,
    calls,
    updates,
    blockedShare,
  };
  const faults = await checkPlans(database, dataDir);
  fs.writeFileSync(
    outputFile,
    JSON.stringify(
      {
        conditions,
        figures,
        tables,
        faults,
      },
      // The time of each call would fill the file.
      (key, value: unknown) => (key === 'waits' ? undefined : value),
      2,
    ),
  );
  say(
    `${conditions.cores} cores, load ${conditions.load.map((load) => load.toFixed(1)).join(' ')}, Node ${conditions.node}; ${outputFile}.`,
  );
  if (faults.length > 0) {
    throw new Stop(`${faults.length} statements read a large table as a whole.`);
  }
}

async function main(): Promise<void> {
  if (process.platform !== 'linux') {
    throw new Stop('this reads /proc, which only Linux has.');
  }
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'nori-scale-'));
  const cleanups: Cleanup[] = [];
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => process.exit(130));
  }
  process.once('exit', () => fs.rmSync(dataDir, { recursive: true, force: true }));
  try {
    await run(dataDir, cleanups);
  } finally {
    for (const cleanup of cleanups.toReversed()) {
      await cleanup();
    }
  }
  process.exit(0);
}

await main().catch(giveUp);
