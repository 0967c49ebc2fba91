/** Processes of different roles on one PostgreSQL: who serves, who makes pictures and exports, and what happens when one of them is gone. */
import { unzipSync } from 'fflate';
import * as v from 'valibot';
import { afterAll, describe, expect, test } from 'vitest';

import { readExport } from '#contract/endpoints/exports';
import { listGenerations } from '#contract/endpoints/generations';
import { readJob } from '#contract/endpoints/images';
import { getPending, startPixai } from '#tests/image-services';
import { startPostgres } from '#tests/postgres';
import { createCaller, signUpAt, startShared } from '#tests/several-processes';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const limit = { timeout: 60_000 };
const ada = 123_456_789;
const { job_key } = getPending();

/** A web process, a worker, and a PixAI whose tasks stay as they are until `pixai.release()`. */
async function startRoles() {
  const pixai = await startPixai();
  pixai.hold();
  const { database, start } = await startShared(postgres);
  const startWorker = () => start('worker', pixai.variables);
  const [web, worker] = await Promise.all([start('web,bot', pixai.variables), startWorker()]);
  const token = await signUpAt(web, ada);
  const call = createCaller(web.url, token);
  const generate = (number = 0) => call('POST', '/pixai/api/v1/generate', getPending(number));
  const readState = async () => {
    const answer = await call('GET', `/generations/jobs/${job_key}`);
    return answer.ok ? v.parse(readJob.output, await answer.json()).state : answer.status;
  };
  const readHistory = async () => {
    const answer = await call('GET', listGenerations.path);
    return v.parse(listGenerations.output, await answer.json()).generations;
  };
  /** Resolves when the worker waits for PixAI. */
  const untilSubmitted = () =>
    expect.poll(() => pixai.callsTo('GET /v1/task/*').length, limit).toBeGreaterThan(0);
  /** As if a minute had passed since the worker that has the job has last shown that it lives. */
  const expireLeases = () =>
    database.db.updateTable('generation_jobs').set({ held_until: 0 }).execute();
  return {
    pixai,
    database,
    web,
    worker,
    startWorker,
    call,
    generate,
    readState,
    readHistory,
    untilSubmitted,
    expireLeases,
  };
}

describe.runIf(postgres)('several processes', () => {
  test('each says what it does, and only those with the role web serve pages and calls', async () => {
    const { start } = await startShared(postgres);
    const [web, bot, worker, all] = await Promise.all(
      ['web', 'bot', 'worker,bot', 'all'].map((roles) => start(roles)),
    );
    const look = (path: string) =>
      Promise.all(
        [web, bot, worker, all].map(async (server) => {
          const answer = await fetch(`${server?.url}${path}`);
          await answer.arrayBuffer();
          return answer.status;
        }),
      );

    expect(await look('/livez')).toEqual([200, 200, 200, 200]);
    expect(await look('/readyz')).toEqual([200, 200, 200, 200]);
    expect(await look('/backend/health')).toEqual([200, 200, 200, 200]);
    expect(await look('/backend/capabilities')).toEqual([200, 404, 404, 200]);
    expect(web?.said()).toMatch(/^Nori is running as web\. Open http/m);
    expect(bot?.said()).toMatch(/^Nori is running as bot\. It answers .*\/readyz only\.$/m);
    expect(worker?.said()).toMatch(/^Nori is running as (?:worker and bot|bot and worker)\. /m);
    expect(all?.said()).toMatch(/^Nori is running\. Open http/m);
  }, 60_000);

  test('a picture that a web process is asked for is made by a worker, delivered, and saved once', async () => {
    const { pixai, generate, call, readHistory, untilSubmitted } = await startRoles();
    const waiting = generate();
    await untilSubmitted();

    pixai.release();
    const answer = await waiting;
    const history = await readHistory();

    expect(answer.status).toBe(200);
    expect(history).toMatchObject([{ job_key }]);
    expect(history).toHaveLength(1);
    expect(pixai.callsTo('POST /v1/task')).toHaveLength(1);
    const again = await call('POST', '/pixai/api/v1/generate', getPending());
    expect(again.headers.get('X-Nori-Generation')).toBe(answer.headers.get('X-Nori-Generation'));
  }, 90_000);

  test('another worker goes on with the task of a killed one, and the caller gets the picture', async () => {
    const { pixai, worker, startWorker, generate, readHistory, ...rest } = await startRoles();
    const waiting = generate();
    await rest.untilSubmitted();
    await startWorker();
    worker.process.kill('SIGKILL');
    await worker.ended;

    await rest.expireLeases();
    pixai.release();

    expect((await waiting).status).toBe(200);
    expect(await readHistory()).toHaveLength(1);
    expect(pixai.callsTo('POST /v1/task')).toHaveLength(1);
  }, 120_000);

  test('a worker that stood still for longer than its lease destroys nothing when it goes on', async () => {
    const { pixai, web, worker, startWorker, generate, readHistory, ...rest } = await startRoles();
    const { db } = rest.database;
    const readJobRow = () => db.selectFrom('generation_jobs').selectAll().executeTakeFirstOrThrow();
    const listFiles = () => db.selectFrom('pictures').select('id').execute();
    const waiting = generate();
    await rest.untilSubmitted();
    const { runner } = await readJobRow();
    worker.process.kill('SIGSTOP');
    await startWorker();
    await rest.expireLeases();
    pixai.release();
    const answer = await waiting;
    const kept = await readHistory();
    const files = await listFiles();

    worker.process.kill('SIGCONT');
    await expect.poll(async () => (await fetch(`${worker.url}/readyz`)).status, limit).toBe(200);
    // It ends after what it does for the job, if it has not heard yet that it has lost it.
    worker.process.kill('SIGTERM');
    expect(await worker.ended).toBe(0);

    expect(answer.status).toBe(200);
    const row = await readJobRow();
    expect(row).toMatchObject({ state: 'done', epoch: 2 });
    expect(row.runner).not.toBe(runner);
    expect(kept).toMatchObject([{ job_key }]);
    expect(await readHistory()).toEqual(kept);
    expect(await listFiles()).toEqual(files);
    const [saved] = v.parse(v.array(v.object({ image_url: v.string() })), kept);
    const picture = await fetch(new URL(saved?.image_url ?? '', web.url));
    expect(picture.status).toBe(200);
    expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(100);
  }, 120_000);

  test('what is cancelled at a web process ends at the worker, with the task of the service', async () => {
    const { pixai, generate, call, readState, untilSubmitted } = await startRoles();
    const waiting = generate();
    await untilSubmitted();

    await call('DELETE', `/generations/jobs/${job_key}`);

    expect((await waiting).status).toBe(409);
    await expect.poll(() => pixai.getStatus('1000'), limit).toBe('cancelled');
    expect(await readState()).toBe('cancelled');
  }, 90_000);

  test('a service gets no more tasks at a time than it can, from all workers together', async () => {
    const { pixai, web, startWorker, database } = await startRoles();
    await startWorker();
    const tokens = await Promise.all([201, 202, 203, 204].map((id) => signUpAt(web, id)));
    const answers = tokens.flatMap((token, user) =>
      [0, 1, 2].map((number) =>
        createCaller(web.url, token)(
          'POST',
          '/pixai/api/v1/generate',
          getPending(user * 10 + number),
        ),
      ),
    );
    const count = async () => {
      const rows = await database.db.selectFrom('generation_jobs').selectAll().execute();
      return {
        begun: rows.filter(({ task_id: task }) => task !== null).length,
        waiting: rows.filter(({ runner }) => runner === '').length,
      };
    };

    // PixAI takes ten.
    await expect.poll(count, limit).toEqual({ begun: 10, waiting: 2 });
    expect(pixai.callsTo('POST /v1/task')).toHaveLength(10);
    pixai.release();

    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 200));
    expect(pixai.callsTo('POST /v1/task')).toHaveLength(12);
  }, 120_000);

  test('an export that is begun at a web process is made by a worker, and can be downloaded there', async () => {
    const { web, call } = await startRoles();

    expect((await call('POST', '/auth/export', { by_bot: false })).status).toBe(204);
    const read = async () =>
      v.parse(readExport.output, await (await call('GET', '/auth/export')).json());
    await expect.poll(async () => (await read()).state, limit).toBe('ready');
    const file = await fetch(new URL((await read()).url ?? '', web.url));

    const names = Object.keys(unzipSync(new Uint8Array(await file.arrayBuffer())));
    expect(names).toContain('nori.json');
  }, 90_000);
});
