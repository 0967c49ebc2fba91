/**
 * `npm run bench:uploads`: forty pictures of 20 MB that are sent at once, from one user and from twenty, to a real server
 * process; `npm run bench:uploads -- 5` sends them from five. Those that are refused for want of room are sent again when the server says. Measures the memory of the server and
 * how fast it answers `/backend/health` meanwhile, and checks that all are stored clean and nothing half-written stays. Fails
 * when the memory reaches 500 MB or the slowest percent of answers 500 ms.
 */
import { once } from 'node:events';
import fs from 'node:fs';
import { Agent } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import * as v from 'valibot';

import { openDatabase } from '#server/db/client';

import { type DemoServer, signUp, startDemoServer } from './lib/demo-server.ts';
import { giveUp, say, Stop } from './lib/say.mjs';
import {
  type Form,
  makeForm,
  makeLargePicture,
  sendForm,
  type Target,
} from './lib/upload-forms.ts';

const mb = 1_000_000;
const atOnce = 40;
const maxMemoryMb = 500;
const maxP99Ms = 500;
const canary = 'taken-at-52.520N-13.405E';

/** With what cameras and pranksters add. */
async function makePicture(): Promise<Buffer> {
  const png = await makeLargePicture({ IFD0: { ImageDescription: canary } });
  return Buffer.concat([png, Buffer.from(`<html>${canary}</html>`)]);
}

/** Sends a form until it is stored, and counts the answers. */
async function store(form: Form, target: Target, statuses: Map<number, number>): Promise<void> {
  for (;;) {
    const { status, retryAfterS } = await sendForm(form, target);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 201) {
      return;
    }
    if (![429, 503].includes(status) || !(retryAfterS > 0)) {
      throw new Stop(`an upload was answered ${status}, Retry-After: ${retryAfterS}.`);
    }
    await pause(retryAfterS * 1000);
  }
}

const healthReport = v.object({ times: v.array(v.number()), failures: v.number() });

/** In a thread of its own, so that what is sent meanwhile does not delay the clock. */
function watchHealth(url: string) {
  const worker = new Worker(import.meta.filename, { workerData: `${url}/backend/health` });
  return async () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
    worker.postMessage('stop');
    const [report]: unknown[] = await once(worker, 'message');
    const { times, failures } = v.parse(healthReport, report);
    const sorted = times.toSorted((one, other) => one - other);
    const percentile = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Infinity;
    return { count: times.length, failures, p50: percentile(0.5), p99: percentile(0.99) };
  };
}

async function runWatcher(url: string): Promise<void> {
  const times: number[] = [];
  let failures = 0;
  const over = new AbortController();
  parentPort?.once('message', () => over.abort());
  while (!over.signal.aborted) {
    const startedAt = performance.now();
    const { ok } = await fetch(url).catch(() => ({ ok: false }));
    times.push(performance.now() - startedAt);
    failures += ok ? 0 : 1;
    await pause(10);
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
  parentPort?.postMessage({ times, failures });
}

/** The most memory that the server has had, in MB. */
function readPeak({ child }: DemoServer): number {
  const status = fs.readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return (Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / mb;
}

/** What is wrong with the stored pictures, in words. */
async function findLeftovers(dataDir: string): Promise<readonly string[]> {
  const database = openDatabase({ dataDir });
  const rows = await database.db.selectFrom('pictures').select('id').execute();
  await database.close();
  const folder = path.join(dataDir, 'pictures');
  const files = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile());
  const expected = new Set(rows.flatMap(({ id }) => [`${id}-original`, `${id}-thumbnail`]));
  const names = new Set(files.map(({ name }) => name));
  const unclean = files.filter(({ parentPath, name }) =>
    fs.readFileSync(path.join(parentPath, name)).includes(canary),
  );
  return [
    ...(rows.length === atOnce ? [] : [`${rows.length} rows of pictures instead of ${atOnce}`]),
    ...[...expected].filter((name) => !names.has(name)).map((name) => `${name} is missing`),
    ...[...names].filter((name) => !expected.has(name)).map((name) => `${name} has no row`),
    ...unclean.map(({ name }) => `${name} has metadata`),
  ];
}

/** Returns what is wrong, in words. */
async function measure(people: number, form: Form): Promise<readonly string[]> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'nori-bench-'));
  const agent = new Agent({ keepAlive: true });
  const server = await startDemoServer(dataDir);
  try {
    const tokens: string[] = [];
    for (let index = 0; index < people; index += 1) {
      const id = String(700_000_000 + index);
      const email = `person${id}@example.org`;
      tokens.push(await signUp(server, { telegram_id: id, email, password: 'seven quiet otters' }));
    }
    const atRest = readPeak(server);
    const stop = watchHealth(server.url);
    const statuses = new Map<number, number>();
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: atOnce }, (_, index) =>
        store(form, { url: server.url, token: tokens[index % people] ?? '', agent }, statuses),
      ),
    );
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const health = await stop();
    const peak = readPeak(server);
    server.child.kill('SIGTERM');
    await once(server.child, 'exit');

    say(`${atOnce} uploads of ${Math.round(form.bytes.length / mb)} MB, users: ${people}`);
    say(`  memory: ${Math.round(peak)} MB at most, ${Math.round(atRest)} MB before`);
    say(
      `  health: p50 ${health.p50.toFixed(1)} ms, p99 ${health.p99.toFixed(1)} ms, ${health.count} calls, ${health.failures} failed`,
    );
    const counts = [...statuses].toSorted(([one], [other]) => one - other);
    say(
      `  answers: ${counts.map(([status, count]) => `${status}: ${count}`).join(', ')}, all stored after ${seconds} s`,
    );
    return [
      ...(peak < maxMemoryMb ? [] : [`the server took ${Math.round(peak)} MB`]),
      ...(health.p99 < maxP99Ms ? [] : [`health answered after ${Math.round(health.p99)} ms`]),
      ...(health.failures === 0 ? [] : [`health failed ${health.failures} times`]),
      ...(await findLeftovers(dataDir)),
    ];
  } finally {
    agent.destroy();
    server.child.kill('SIGKILL');
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  if (process.platform !== 'linux') {
    throw new Stop('this reads /proc, which only Linux has.');
  }
  const form = await makeForm(await makePicture());
  const given = process.argv.slice(2).map(Number);
  const problems: string[] = [];
  for (const people of given.length === 0 ? [1, 20] : given) {
    problems.push(...(await measure(people, form)));
  }
  if (problems.length > 0) {
    throw new Stop(problems.join('; '));
  }
}

await (isMainThread ? main() : runWatcher(v.parse(v.string(), workerData))).catch(giveUp);
