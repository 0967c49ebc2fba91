/** An operator watches a server: metrics for Prometheus, traces for a collector, a dashboard and alarms that fit them. */
import { sql } from 'kysely';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { listChats } from '#contract/endpoints/chats';
import { startExport } from '#contract/endpoints/exports';
import { generate } from '#contract/endpoints/images';
import { login, readMe } from '#contract/endpoints/session';
import { readBacklog } from '#server/app/telemetry-readings';
import { type Database, migrate, openDatabase } from '#server/db/client';
import { watchStore } from '#server/lib/object-store';
import { signIn } from '#tests/chats';
import { ann, bo, startGroup } from '#tests/command-group';
import { startPostgres } from '#tests/postgres';
import { startServerProcess } from '#tests/server-process';
import { dataFolders } from '#tests/setup';
import { groupId } from '#tests/test-bot';
import {
  createMemoryStore,
  createTestServer,
  openTestDatabase,
  type TestServer,
} from '#tests/test-server';
import { watch } from '#tests/watched-server';

const root = resolve(import.meta.dirname, '../..');
const readText = (path: string) => readFileSync(join(root, path), 'utf8');

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const noService = 'http://127.0.0.1:9';
const metricsOn = { METRICS_PORT: '0', PUBLIC_API_UPSTREAM: noService };

const nameMetrics = (scrape: string) =>
  [...scrape.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => ({ name, type }));

/** The value of a line such as `nori_role{role="web"}`. */
function readValue(scrape: string, series: string): number | undefined {
  const line = scrape.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

/** A server whose every part has had something to do. */
async function startBusyServer(database: Database) {
  const group = await startGroup({
    database,
    objects: watchStore(createMemoryStore()),
    variables: metricsOn,
  });
  const { server, says } = group;
  const watched = await watch(server.deps);
  const { token } = await signIn(server, 7_042_424);
  const failing = { telegram_id: '5551212', password: 'wrong quiet otters' };
  for (let tries = 0; tries < 20; tries += 1) {
    await server.call(login, failing);
  }
  await server.call(listChats, {}, { token });
  await server.call(generate, { prompt: 'a fox', model_id: '1001', ratio: '1:1' }, { token });
  await server.request('/public-api/anilist/waifu');
  await says(bo, '/warn late again', { to: ann });
  const { dueJobs } = server.services;
  dueJobs.handle('of this test', () => Promise.resolve(true));
  const due = { chatId: groupId, telegramId: undefined, body: '{}', dueAt: server.now() };
  await dueJobs.add({ ...due, id: 'of this test', kind: 'of this test' });
  await dueJobs.runDue();
  await server.call(startExport, { by_bot: false }, { token });
  await server.services.exports.runDue();
  await queueJob(server);
  return { ...group, ...watched };
}

/** A picture that waits for its engine. */
async function queueJob({ db, now }: TestServer): Promise<void> {
  const made = await db.selectFrom('generation_jobs').selectAll().executeTakeFirstOrThrow();
  await db
    .insertInto('generation_jobs')
    .values({ ...made, job_key: randomUUID(), state: 'queued', held_until: now() * 2 })
    .execute();
}

const openSqlite = async () => openDatabase({});
const engines: Record<string, () => Promise<Database>> = {
  SQLite: openSqlite,
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

const ofWaiting = /from .*(?:bot_inbox|due_deletions|due_jobs|generation_jobs)/;

/** The rows of the tables of docs/metrics.md whose first cell is a name in backquotes. */
function readTable(pattern: RegExp): readonly (readonly string[])[] {
  return readText('docs/metrics.md')
    .split('\n')
    .filter((line) => pattern.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

const documented = readTable(/^\| `nori_/).map(([, name = '', type = '', labels = '']) => ({
  name: name.replaceAll('`', ''),
  type,
  labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
}));
const onlyOnPostgres = 'nori_database_connections';

describe.each(Object.entries(engines))('on %s', (engine, open) => {
  test('a server exports exactly the metrics that are documented, with their labels', async () => {
    const { scrape } = await startBusyServer(await open());

    const text = await scrape();

    const expected = documented.filter(
      ({ name }) => engine === 'PostgreSQL' || name !== onlyOnPostgres,
    );
    expect(documented.length).toBeGreaterThan(25);
    expect(nameMetrics(text).toSorted(byName)).toEqual(
      expected.map(({ name, type }) => ({ name, type })).toSorted(byName),
    );
    for (const { name, labels } of expected) {
      const [series] = text.match(new RegExp(`^${name}(?:_bucket)?(?:\\{.*\\})? `, 'm')) ?? [];
      const found = [...(series ?? '').matchAll(/(\w+)="/g)].map(([, label = '']) => label);
      expect([name, ...found.filter((label) => label !== 'le').toSorted()]).toEqual([
        name,
        ...labels.toSorted(),
      ]);
    }
  });

  test('what waits is read by indexes, and at most every fifteen seconds', async () => {
    const statements: string[] = [];
    const onStatement = (text: string) => void statements.push(text);
    const database = await (engine === 'SQLite'
      ? openDatabase({ onStatement })
      : openTestDatabase(postgres?.url, onStatement));
    await migrate(database);
    const server = await createTestServer({ database, variables: metricsOn });
    const { scrape } = await watch(server.deps);
    statements.length = 0;

    await scrape();
    await scrape();

    const ofBacklog = statements.filter((text) => ofWaiting.test(text));
    expect(ofBacklog).toHaveLength(4);
    for (const text of ofBacklog) {
      expect(await explain(database, text)).toMatch(
        /using (?:covering )?index|index (?:only )?scan/i,
      );
    }
  });

  test('the oldest of what waits is known', async () => {
    const database = await open();
    const server = await createTestServer({ database });
    const now = server.now();
    const job = { kind: 'k', chat_id: groupId, telegram_id: null, body: '{}' };
    await server.db
      .insertInto('due_jobs')
      .values([
        { ...job, id: 'late', due_at: now - 90_000 },
        { ...job, id: 'just now', due_at: now },
        { ...job, id: 'not yet', due_at: now + 1 },
      ])
      .execute();

    const backlog = await readBacklog(database.db, now);

    expect(backlog).toMatchObject({
      updateLag: 0,
      jobs: { waiting: 2, oldest: 90 },
      deletions: { waiting: 0, oldest: 0 },
      generationJobs: [],
    });
  });
});

const byName = (one: { name?: string | undefined }, other: { name?: string | undefined }) =>
  (one.name ?? '').localeCompare(other.name ?? '');

async function explain({ db, engine }: Database, text: string): Promise<string> {
  const values = text.replaceAll(/\$\d+|\?/g, (place) =>
    /state" in \([^)]*$/.test(text.slice(0, text.indexOf(place))) ? "'queued'" : '1',
  );
  return db.transaction().execute(async (tx) => {
    if (engine === 'postgres') {
      // An empty table is otherwise read whole, whatever indexes it has.
      await sql`set local enable_seqscan = off`.execute(tx);
    }
    const how = sql.raw(`${engine === 'postgres' ? 'explain' : 'explain query plan'} ${values}`);
    const { rows } = await how.execute(tx);
    return JSON.stringify(rows);
  });
}

const panelSchema = v.object({
  id: v.number(),
  type: v.string(),
  title: v.pipe(v.string(), v.nonEmpty()),
  targets: v.optional(v.array(v.object({ expr: v.pipe(v.string(), v.nonEmpty()) })), []),
});
const dashboardSchema = v.object({
  schemaVersion: v.pipe(v.number(), v.minValue(39)),
  panels: v.array(panelSchema),
  templating: v.object({ list: v.array(v.object({ name: v.string(), type: v.string() })) }),
});

const withoutSuffix = (name: string) => name.replace(/_(?:bucket|sum|count)$/, '');
const known = new Set(documented.map(({ name }) => name));
const namesIn = (text: string) =>
  [...text.matchAll(/\bnori_\w+/g)].map(([name]) => (known.has(name) ? name : withoutSuffix(name)));

test('the dashboard shows every metric, and no other', () => {
  const dashboard = v.parse(dashboardSchema, JSON.parse(readText('deploy/grafana/nori.json')));

  const rows = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
  const ids = dashboard.panels.map(({ id }) => id);
  const shown = dashboard.panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => namesIn(expr)),
  );
  expect(rows).toEqual([
    'Is it up',
    'Web',
    'Bot',
    'Pictures and exports',
    'Database',
    'Object store',
    'Machine',
  ]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(dashboard.templating.list).toContainEqual({ name: 'datasource', type: 'datasource' });
  expect([...new Set(shown)].toSorted()).toEqual([...known].toSorted());
});

test('each alarm uses metrics that exist, and says what to do', () => {
  const alerts = readText('deploy/prometheus/alerts.yml');

  const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(15);
  expect(namesIn(alerts).filter((name) => !known.has(name))).toEqual([]);
  expect(readTable(/^\| `Nori/).map(([, name = '']) => name.replaceAll('`', ''))).toEqual(names);
});

test('requests are counted by the pattern of their route, and a repeated failure by its code', async () => {
  const server = await createTestServer({ variables: metricsOn });
  const { scrape } = await watch(server.deps);

  await server.call(readMe, {});
  await server.request('/backend/chats/7042424241717/events?token=secret');
  await server.request('/backend/nothing/of/7042424241717');
  await server.request('/backend/health', { method: 'BREW' });

  const text = await scrape();
  const count = (labels: string) =>
    readValue(text, `nori_http_request_duration_seconds_count{${labels}}`);
  expect(count('method="GET",route="/backend/auth/me",status="4xx"')).toBe(1);
  expect(count('method="GET",route="/backend/chats/:chat_id/events",status="4xx"')).toBe(1);
  expect(count('method="GET",route="/backend/*",status="4xx"')).toBe(1);
  expect(text).toMatch(/method="other"/);
  expect(readValue(text, 'nori_refusals_total{code="unauthenticated"}')).toBe(2);
  expect(readValue(text, 'nori_http_requests_in_flight')).toBe(0);
  expect(text).not.toMatch(/7042424241717|secret|BREW/);
});

test('a database that hangs is reported, and everything else still is', async () => {
  const server = await createTestServer({ variables: metricsOn });
  const never = new Promise<never>(() => undefined);
  const database = { ...server.database, ping: () => never };
  const { scrape } = await watch({ ...server.deps, database });

  const text = await scrape();

  expect(readValue(text, 'nori_database_up')).toBe(0);
  expect(readValue(text, 'nori_role{role="web"}')).toBe(1);
});

test('the libraries are loaded only by a server that exports something', async () => {
  const script = `
    import { createRequire } from 'node:module';
    const { startTelemetry } = await import('#server/app/telemetry');
    await import('#server/app/app');
    const { cache } = createRequire(import.meta.url);
    const count = () => Object.keys(cache).filter((file) => file.includes('@opentelemetry')).length;
    const off = await startTelemetry({ env: {} }, () => undefined);
    const before = count();
    await off.stop();
    const env = { metricsPort: 0, host: '127.0.0.1', roles: new Set() };
    const on = await startTelemetry({ env, database: {} }, () => undefined);
    console.log(JSON.stringify([before, count() > 0]));
    await on.stop();
  `;

  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { cwd: root },
  );

  expect(JSON.parse(stdout)).toEqual([0, true]);
});

describe('the running server', () => {
  async function start() {
    const server = startServerProcess({
      METRICS_PORT: '0',
      NORI_DATA_DIR: join(dataFolders, randomUUID()),
    });
    onTestFinished(async () => {
      server.process.kill();
      await server.ended;
    });
    const [, metricsAddress = ''] = await server.hears(/Metrics for Prometheus are at (\S+)/);
    const [, publicAddress = ''] = await server.hears(/Open (\S+)/);
    return { server, metricsAddress, publicAddress };
  }

  test('answers /metrics on the port for it alone', async () => {
    const { metricsAddress, publicAddress } = await start();

    const wanted = await fetch(metricsAddress);
    const other = await fetch(new URL('/backend/health', metricsAddress));
    const onPublicPort = await fetch(new URL('/metrics', publicAddress));

    expect(await wanted.text()).toContain('nori_build_info');
    expect(other.status).toBe(404);
    expect(await onPublicPort.text()).not.toContain('nori_build_info');
  });

  test('counts what becomes of a picture, and stops with a scraper connected', async () => {
    const { server, metricsAddress, publicAddress } = await start();

    const picture = await fetch(new URL(`/backend${generate.path}`, publicAddress), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ prompt: 'a fox', model_id: '1001', ratio: '1:1' }),
    });
    const text = await (await fetch(metricsAddress)).text();
    server.process.kill('SIGTERM');

    expect(picture.status).toBe(200);
    const stored = 'nori_object_store_call_duration_seconds_count{kind="put",outcome="done"}';
    const made = 'nori_generation_job_duration_seconds_count{engine="sketch",outcome="done"}';
    expect(readValue(text, stored)).toBe(1);
    expect(readValue(text, made)).toBe(1);
    expect(await server.ended).toBe(0);
  });

  test('says so when the port for metrics is taken', async () => {
    const { metricsAddress } = await start();
    const second = startServerProcess({
      METRICS_PORT: new URL(metricsAddress).port,
      NORI_DATA_DIR: join(dataFolders, randomUUID()),
    });

    await second.hears(/metrics cannot be served at the port \d+: .*EADDRINUSE/);
    expect(await second.ended).toBe(1);
  });
});
