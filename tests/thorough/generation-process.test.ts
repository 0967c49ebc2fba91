/**
 * Jobs in progress when the server's process is killed or stopped: none is lost, and none stays
 * pending.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { readJob } from '#contract/endpoints/images';
import { getPending, startPixai } from '#tests/image-services';
import { type ServerProcess, startServerProcess } from '#tests/server-process';

let dataDir: string;
const running: ServerProcess[] = [];
/** Real processes poll with real pauses. */
const limit = { timeout: 60_000 };

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'nori-generation-'));
});
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.process.kill('SIGKILL');
    await server.ended;
  }
  await rm(dataDir, { recursive: true });
});

async function start(variables: Record<string, string> = {}) {
  const server = startServerProcess({ NORI_DATA_DIR: dataDir, ...variables });
  running.push(server);
  const [, address = ''] = await server.hears(/Open (http:\S+)/);
  const jobAt = `${address}/backend/generations/jobs/`;
  return {
    ...server,
    generate: (number = 0) =>
      fetch(`${address}/backend/pixai/api/v1/generate`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(getPending(number)),
      }),
    job: async (number = 0) => {
      const reply = await fetch(`${jobAt}${getPending(number).job_key}`);
      return reply.ok ? v.parse(readJob.output, await reply.json()) : { state: 'unknown' };
    },
    picture: async (url = '') => fetch(new URL(url, address)),
  };
}

async function kill(server: ServerProcess): Promise<void> {
  server.process.kill('SIGKILL');
  await server.ended;
}

test('sketches that were in progress when the server was killed are finished after the next start', async () => {
  const first = await start();
  const broken = [0, 1, 2, 3].map((number) => first.generate(number).catch(() => 'broken'));
  for (const number of [0, 1, 2, 3]) {
    await expect
      .poll(async () => (await first.job(number)).state, limit)
      .toMatch(/^(?:queued|running|done)$/);
  }
  await kill(first);

  const second = await start();

  for (const number of [0, 1, 2, 3]) {
    await expect.poll(() => second.job(number), limit).toMatchObject({ state: 'done' });
  }
  const { image_url } = v.parse(readJob.output, await second.job());
  expect((await second.picture(image_url)).headers.get('Content-Type')).toBe('image/webp');
  await Promise.all(broken);
});

test('a PixAI task continues while the server is down, and its picture is downloaded, not made again', async () => {
  const pixai = await startPixai();
  pixai.hold();
  const first = await start(pixai.variables);
  const broken = first.generate().catch(() => 'broken');
  await expect.poll(() => pixai.callsTo('GET /v1/task/*').length, limit).toBeGreaterThan(0);
  await kill(first);
  pixai.release();

  const second = await start(pixai.variables);

  expect(await broken).toBe('broken');
  await expect.poll(() => second.job(), limit).toMatchObject({ state: 'done', engine: 'pixai' });
  expect((await second.generate()).status).toBe(200);
  expect(pixai.callsTo('POST /v1/task')).toHaveLength(1);
});

test('after a kill during a submit, the server does not submit again and reports the interruption', async () => {
  const pixai = await startPixai();
  pixai.fail('POST /v1/task', 'hang');
  const first = await start(pixai.variables);
  const broken = first.generate().catch(() => 'broken');
  await expect.poll(() => pixai.callsTo('POST /v1/task').length, limit).toBe(1);
  await kill(first);

  const second = await start(pixai.variables);

  expect(await second.job()).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining('restarted while your picture was being made'),
  });
  expect(pixai.callsTo('POST /v1/task')).toHaveLength(1);
  await broken;
});

test('a stopped server leaves a task at once, and the next server continues it', async () => {
  const pixai = await startPixai();
  pixai.hold();
  const first = await start(pixai.variables);
  const waiting = first.generate();
  await expect.poll(() => pixai.callsTo('GET /v1/task/*').length, limit).toBeGreaterThan(0);

  first.process.kill('SIGTERM');
  const code = await first.ended;
  pixai.release();
  const second = await start(pixai.variables);

  expect((await waiting).status).toBe(503);
  expect(code).toBe(0);
  expect(first.said()).not.toMatch(/error|garden|job-key|sk-stand-in/i);
  await expect.poll(() => second.job(), limit).toMatchObject({ state: 'done' });
  expect(pixai.callsTo('POST /v1/task')).toHaveLength(1);
});

test('a sketch in progress when the server is stopped is not lost, however slowly it is painted', async () => {
  const first = await start();
  const waiting = first.generate();
  await expect
    .poll(() => first.job(), limit)
    .toMatchObject({ state: expect.stringMatching(/^(?:running|done)$/) });

  first.process.kill('SIGTERM');
  const reply = await waiting;
  const code = await first.ended;
  const second = await start();

  // Within its grace the server finishes the sketch; what takes longer is finished by the next one.
  expect([200, 503]).toContain(reply.status);
  expect(code).toBe(0);
  await expect.poll(() => second.job(), limit).toMatchObject({ state: 'done' });
});
