/**
 * A server that starts again continues the jobs of the last one, and no picture is paid for twice.
 */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { generate, readJob } from '#contract/endpoints/images';
import { detectPictureType } from '#server/lib/picture-type';
import { type ImageEngine } from '#server/upstream/images/image-engine';
import { connectPixai } from '#server/upstream/images/pixai';
import { createHandEngine } from '#tests/image-engines';
import { startPixai, getPending } from '#tests/image-services';
import { readSaved, save } from '#tests/pictures';
import { createMemoryStore, createTestServer, openTestDatabase } from '#tests/test-server';

const input = getPending();
const { job_key } = input;

const sleep = async (_ms: number, signal: AbortSignal) => {
  await breathe();
  signal.throwIfAborted();
};

/** Two servers one after the other, with the same database and files. */
async function startTwice(engines: { first: ImageEngine; second: ImageEngine }) {
  const database = await openTestDatabase();
  const objects = createMemoryStore();
  const variables = { NORI_DATA_DIR: join(tmpdir(), `nori-unused-${randomUUID()}`) };
  const shared = { database, objects, variables };
  const before = await createTestServer({ ...shared, engines: { pixai: engines.first } });
  return {
    before,
    startAgain: async () => {
      const after = await createTestServer({ ...shared, engines: { pixai: engines.second } });
      // Jobs that another server may be working on are taken over when their lease has expired.
      await database.db.updateTable('generation_jobs').set({ held_until: 0 }).execute();
      await after.services.generationJobs.resume();
      return after;
    },
  };
}

test('makes the sketch that the last server did not finish, with the same seed', async () => {
  const first = createHandEngine();
  const second = createHandEngine();
  const { before, startAgain } = await startTwice({ first: first.engine, second: second.engine });
  void before.call(generate, { ...input, seed: '' });
  await expect.poll(first.asked).toBe(1);
  const seed = await before.db.selectFrom('generation_jobs').select('seed').executeTakeFirst();

  const after = await startAgain();
  await expect.poll(second.asked).toBe(1);
  second.finish();
  const made = await after.call(generate, { ...input, seed: '' });

  expect(made.status).toBe(200);
  expect(made.headers.get('X-Nori-Seed')).toBe(seed?.seed);
});

test('is not needed for the sketch that was being painted: the stopping server finishes it first', async () => {
  const hand = createHandEngine();
  const server = await createTestServer({ engines: { pixai: hand.engine } });
  const waiting = server.call(generate, input);
  await expect.poll(hand.asked).toBe(1);

  const stopping = server.services.generationJobs.stop();
  hand.finish();

  expect((await waiting).status).toBe(200);
  await stopping;
  expect((await server.call(readJob, { job_key })).body).toMatchObject({ state: 'done' });
});

test('goes on with a variation from the picture that it is made of', async () => {
  const abilities = { modes: ['variation'] } as const;
  const first = createHandEngine(abilities);
  const second = createHandEngine(abilities);
  const sources: (string | undefined)[] = [];
  const make: ImageEngine['make'] = async (recipe, task) => {
    const bytes = await task.source?.read();
    sources.push(bytes && detectPictureType(bytes));
    return second.engine.make(recipe, task);
  };
  const { before, startAgain } = await startTwice({
    first: first.engine,
    second: { ...second.engine, make },
  });
  const token = await before.signUp(1);
  const { id } = readSaved(await save(before, token));
  const body = { ...input, source: { generation_id: id, mode: 'variation' } } as const;
  void before.call(generate, body, { token });
  await expect.poll(first.asked).toBe(1);

  const after = await startAgain();
  await expect.poll(second.asked).toBe(1);
  second.finish();
  const made = await after.call(generate, body, { token });

  expect(made.status).toBe(200);
  expect(sources).toEqual(['image/png']);
});

test('waits for the task that PixAI has, and submits nothing', async () => {
  const pixai = await startPixai();
  const connect = () => connectPixai({ apiKey: pixai.apiKey, apiRoot: pixai.url, sleep });
  const { before, startAgain } = await startTwice({ first: connect(), second: connect() });
  pixai.hold();
  void before.call(generate, input);
  await expect.poll(() => pixai.callsTo('GET /v1/task/*').length).toBeGreaterThan(0);
  await before.services.generationJobs.stop();
  pixai.release();

  const after = await startAgain();
  const made = await after.call(generate, input);

  expect(made.status).toBe(200);
  expect(pixai.callsTo('POST /v1/task')).toHaveLength(1);
});

test('does not submit again a task that PixAI may have', async () => {
  const pixai = await startPixai();
  pixai.fail('POST /v1/task', 'hang');
  const connect = () => connectPixai({ apiKey: pixai.apiKey, apiRoot: pixai.url, sleep });
  const { before, startAgain } = await startTwice({ first: connect(), second: connect() });
  void before.call(generate, input);
  await expect.poll(() => pixai.callsTo('POST /v1/task').length).toBe(1);

  const after = await startAgain();
  const reply = await after.call(generate, input);

  expect(reply).toMatchObject({ status: 503, body: { code: 'generation_interrupted' } });
  expect(pixai.callsTo('POST /v1/task')).toHaveLength(1);
  expect((await after.call(readJob, { job_key })).body).toMatchObject({ state: 'failed' });
});

test('submits a task that was still waiting', async () => {
  const pixai = await startPixai();
  const first = createHandEngine({ concurrency: 0, isFree: false });
  const engine = connectPixai({ apiKey: pixai.apiKey, apiRoot: pixai.url, sleep });
  const { before, startAgain } = await startTwice({
    first: { ...first.engine, name: 'pixai' },
    second: engine,
  });
  void before.call(generate, input);
  await expect
    .poll(async () => (await before.call(readJob, { job_key })).body)
    .toMatchObject({ state: 'queued' });

  const after = await startAgain();

  expect((await after.call(generate, input)).status).toBe(200);
  expect(pixai.callsTo('POST /v1/task')).toHaveLength(1);
});

test('with another engine reports that the picture was interrupted', async () => {
  const pixai = await startPixai();
  const first = createHandEngine();
  const { before, startAgain } = await startTwice({
    first: first.engine,
    second: connectPixai({ apiKey: pixai.apiKey, apiRoot: pixai.url, sleep }),
  });
  void before.call(generate, input);
  await expect.poll(first.asked).toBe(1);

  const after = await startAgain();

  expect((await after.call(readJob, { job_key })).body).toMatchObject({ state: 'failed' });
  expect(pixai.calls).toHaveLength(0);
});
