/** Web processes that are replaced one after the other, behind a balancer and under load: callers and open pages notice nothing. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { afterAll, expect, onTestFinished, test } from 'vitest';

import { readValues } from '#contract/endpoints/chat-values';
import { type Balancer, startBalancer } from '#tests/balancer';
import { read } from '#tests/chat-stream';
import { startPostgres } from '#tests/postgres';
import {
  createCaller,
  manageAt,
  type SharedProcess,
  signUpAt,
  startShared,
} from '#tests/several-processes';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const telegramId = 123_456_789;
const chatId = -1001234567890;
const drain = { DRAIN_SECONDS: '2' };
const limit = { timeout: 30_000 };
const requestsPerSecond = 200;
/** More are not sent while so many have no answer yet. */
const maxOpen = 50;
const changeEveryMs = 400;
const followers = 5;
/** The value that is changed, and its smallest value: the number of a change is added to it. */
const valueName = 'warn_expiry';
const firstValue = 86_400;

type Call = ReturnType<typeof createCaller>;

/** What a page has heard of the changes, in order: by an event, or by reading everything after it had connected again. */
type Heard = { readonly by: 'event' | 'read'; readonly change: number };

const toChange = (values: Record<string, Record<string, unknown>>): number | undefined => {
  const value = values['chat']?.[valueName];
  return typeof value === 'number' ? value - firstValue : undefined;
};

/** Follows the chat as a page does: when its stream ends, it connects again and reads what was not sent meanwhile. */
function follow(call: Call, signal: AbortSignal) {
  const heard: Heard[] = [];
  const broken: unknown[] = [];
  let streams = 0;

  async function followOnce(): Promise<void> {
    const stream = read(await call('GET', `/chats/${chatId}/events`));
    if (stream.status !== 200) {
      // As a page does, which is told to wait a second.
      await sleep(1000, undefined, { signal });
      return;
    }
    streams += 1;
    const answer = await call('GET', `/chats/${chatId}/values`);
    const { values } = v.parse(readValues.output, await answer.json());
    heard.push({ by: 'read', change: toChange(values) ?? 0 });
    for (let event = await stream.next(); event !== undefined; event = await stream.next()) {
      const change = event.kind === 'values' ? toChange(event.values) : undefined;
      if (change !== undefined) {
        heard.push({ by: 'event', change });
      }
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await followOnce().catch((error: unknown) => {
        if (!signal.aborted) {
          broken.push(error);
        }
      });
    }
  }

  return { heard, broken, streams: () => streams, done: run() };
}

/** The changes that a page has neither heard of nor read. */
function listMissed(heard: readonly Heard[], changes: number): readonly number[] {
  const missed: number[] = [];
  let last = 0;
  for (const { by, change } of heard) {
    const gap = by === 'event' ? change - last - 1 : 0;
    missed.push(...Array.from({ length: Math.max(gap, 0) }, (_, index) => last + index + 1));
    last = Math.max(last, change);
  }
  return [...missed, ...Array.from({ length: changes - last }, (_, index) => last + index + 1)];
}

/** Sends requests at an even pace until it is stopped, fewer where this machine is too slow, and writes down which failed. */
function load(call: Call) {
  const failures: string[] = [];
  const open = new Set<Promise<void>>();
  let sent = 0;
  let skipped = 0;

  async function request(path: string): Promise<void> {
    try {
      const answer = await call('GET', path);
      await answer.arrayBuffer();
      if (answer.status !== 200) {
        failures.push(`${path}: ${answer.status}`);
      }
    } catch (error) {
      failures.push(`${path}: ${String(error)}`);
    }
  }

  const paths = ['/health', '/auth/me', '/capabilities', `/chats/${chatId}/values`];
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * requestsPerSecond);
    skipped = Math.max(skipped, due - sent - maxOpen);
    for (; sent + skipped < due && open.size < maxOpen; sent += 1) {
      const asked = request(paths[sent % paths.length] ?? '').finally(() => open.delete(asked));
      open.add(asked);
    }
  }, 5);

  return {
    /** Requests per second. */
    rate: () => (sent / (performance.now() - startedAt)) * 1000,
    stop: async (): Promise<readonly string[]> => {
      clearInterval(timer);
      await Promise.all(open);
      return failures;
    },
  };
}

/** Changes the value again and again, each time by one, as often as a user may. */
function write(call: Call) {
  const stopping = new AbortController();
  const failures: string[] = [];
  let changes = 0;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const values = { chat: { [valueName]: firstValue + changes + 1 } };
      const answer = await call('PUT', `/chats/${chatId}/values`, { kind: 'values', values });
      const text = await answer.text();
      if (answer.status === 200) {
        changes += 1;
      } else {
        failures.push(text);
      }
      await sleep(changeEveryMs, undefined, stopping).catch(() => undefined);
    }
  }

  const done = run();
  return {
    changes: () => changes,
    stop: async (): Promise<readonly string[]> => {
      stopping.abort();
      await done;
      return failures;
    },
  };
}

/** Starts another process, waits until it gets requests, and stops the old one. */
async function replace(
  balancer: Balancer,
  old: SharedProcess,
  start: () => Promise<SharedProcess>,
): Promise<SharedProcess> {
  const fresh = await start();
  balancer.add(fresh.url);
  await expect.poll(balancer.ready, limit).toContain(fresh.url);
  old.process.kill('SIGTERM');
  expect(await old.ended).toBe(0);
  balancer.remove(old.url);
  return fresh;
}

test.runIf(postgres)(
  'under 200 requests a second no request fails, and no page that follows a chat misses a change',
  { timeout: 180_000 },
  async () => {
    const { start } = await startShared(postgres);
    const startWeb = () => start('web,bot', drain);
    let [one, other] = [await startWeb(), await startWeb()];
    const balancer = await startBalancer({ targets: [one.url, other.url] });
    onTestFinished(balancer.close);
    await expect.poll(balancer.ready, limit).toHaveLength(2);
    const token = await signUpAt(one, telegramId);
    await manageAt(one, { telegramId, token, chatId });
    const call = createCaller(balancer.url, token);
    const leaving = new AbortController();
    onTestFinished(() => leaving.abort());
    const pages = Array.from({ length: followers }, () =>
      follow(createCaller(balancer.url, token, leaving.signal), leaving.signal),
    );
    for (const page of pages) {
      await expect.poll(page.streams, limit).toBe(1);
    }
    const loaded = load(call);
    const written = write(call);
    await expect.poll(written.changes, limit).toBeGreaterThan(5);

    one = await replace(balancer, one, startWeb);
    other = await replace(balancer, other, startWeb);
    one = await replace(balancer, one, startWeb);
    const before = written.changes();
    await expect.poll(written.changes, limit).toBeGreaterThan(before + 5);
    const rate = Math.round(loaded.rate());
    const failures = [...(await written.stop()), ...(await loaded.stop())];
    const changes = written.changes();
    process.stdout.write(`${rate} requests a second, ${changes} changes\n`);

    expect(failures).toEqual([]);
    expect(balancer.counts).toMatchObject({ broken: 0, repeated: 0 });
    for (const { heard, broken, streams } of pages) {
      expect(broken).toEqual([]);
      await expect.poll(() => listMissed(heard, changes), limit).toEqual([]);
      // Each page has followed a process that was replaced.
      expect(streams()).toBeGreaterThan(1);
    }
    leaving.abort();
    await Promise.all(pages.map(({ done }) => done));
  },
);

test.runIf(postgres)(
  'a stopping process says so first, answers until balancers have noticed, and ends its connections with an answer',
  { timeout: 60_000 },
  async () => {
    const { start } = await startShared(postgres);
    const server = await start('web', { DRAIN_SECONDS: '300' });
    const probe = async (path: string) => {
      const answer = await fetch(`${server.url}${path}`);
      return [answer.status, await answer.text(), answer.headers.get('Retry-After')] as const;
    };
    const ready = await probe('/readyz');

    server.process.kill('SIGTERM');
    await server.hears(/300 more seconds/);
    const stopping = await probe('/readyz');
    const alive = await probe('/livez');
    const health = await fetch(`${server.url}/backend/health`);
    server.process.kill('SIGTERM');

    expect(ready).toEqual([200, 'ready\n', null]);
    expect(stopping).toEqual([503, 'stopping\n', '1']);
    expect(alive).toEqual([200, 'alive\n', null]);
    expect(health.status).toBe(200);
    expect(health.headers.get('Connection')).toBe('close');
    expect(await server.ended).toBe(0);
    expect(server.said()).toContain('Stopped.');
  },
);

/** The processes that this one has started. */
async function listChildren(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

test.runIf(postgres?.local)(
  'a process whose database is away is alive but not ready, and is ready again with it',
  { timeout: 120_000 },
  async () => {
    const { start } = await startShared(postgres);
    const servers = [await start('web'), await start('worker'), await start('bot')];
    const look = (path: string) =>
      Promise.all(servers.map(async ({ url }) => (await fetch(`${url}${path}`)).status));
    await expect.poll(() => look('/readyz'), limit).toEqual([200, 200, 200]);
    const pid = postgres?.local?.pid() ?? 0;

    // A PostgreSQL that stands still answers no one, and refuses no one either.
    process.kill(pid, 'SIGSTOP');
    for (const backend of await listChildren(pid)) {
      process.kill(backend, 'SIGSTOP');
    }
    try {
      await expect.poll(() => look('/readyz'), limit).toEqual([503, 503, 503]);
      expect(await look('/livez')).toEqual([200, 200, 200]);
    } finally {
      for (const backend of [pid, ...(await listChildren(pid))]) {
        process.kill(backend, 'SIGCONT');
      }
    }

    await expect.poll(() => look('/readyz'), limit).toEqual([200, 200, 200]);
    expect(await look('/backend/health')).toEqual([200, 200, 200]);
    // Only a web process serves more.
    expect(await look('/backend/capabilities')).toEqual([200, 404, 404]);
  },
);
