/** Pictures of several processes on one PostgreSQL: who makes them, and how many at a time. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { startExport } from '#contract/endpoints/exports';
import { cancelJob, generate, readJob } from '#contract/endpoints/images';
import { migrate } from '#server/db/client';
import { withRequestId } from '#server/lib/request-context';
import { sweepInTurn } from '#server/services/maintenance';
import { type ImageEngine } from '#server/upstream/images/image-engine';
import { signIn } from '#tests/chats';
import { createHandEngine } from '#tests/image-engines';
import { getPending } from '#tests/image-services';
import { startPostgres } from '#tests/postgres';
import { createMemoryStore, createTestServer, openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

type Abilities = Partial<ImageEngine['abilities']>;
const { job_key } = getPending();
const ada = 111;

describe.runIf(postgres)('on PostgreSQL', () => {
  /** A server for each list of roles. Those with the role `worker` look for jobs as real ones do. */
  async function startServers(abilities: Abilities, ...roles: readonly string[]) {
    const database = await openTestDatabase(postgres?.url);
    await migrate(database);
    const objects = createMemoryStore();
    const servers = await Promise.all(
      roles.map(async (role) => {
        const hand = createHandEngine(abilities);
        const server = await createTestServer({
          database: { ...database, close: async () => undefined },
          objects,
          engines: { pixai: hand.engine },
          variables: {
            NORI_ROLE: role,
            DATABASE_URL: 'postgres://of-the-test/nori',
          },
        });
        const { generationJobs } = server.services;
        if (server.deps.env.roles.has('worker')) {
          generationJobs.watch();
        }
        onTestFinished(() => generationJobs.stop());
        const begin = (number = 0) => server.call(generate, getPending(number));
        return Object.assign(server, { hand, generate: begin });
      }),
    );
    const asked = () => servers.reduce((sum, { hand }) => sum + hand.asked(), 0);
    return { servers, asked };
  }

  async function startThree(abilities: Abilities = {}) {
    const { servers, asked } = await startServers(abilities, 'web,bot', 'worker', 'worker');
    const [web, one, other] = servers;
    if (!web || !one || !other) {
      throw new Error('Three servers were asked for');
    }
    const readState = async () => (await web.call(readJob, { job_key })).body;
    return { web, one, other, asked, readState };
  }

  test('a process without the role worker makes no picture, and hands out that of one with it', async () => {
    const { web, one, other, asked } = await startThree();
    const token = (await signIn(web, ada)).token;

    const reply = web.call(generate, getPending(), { token });
    await expect.poll(asked).toBe(1);
    one.hand.finish();
    other.hand.finish();

    expect((await reply).status).toBe(200);
    expect(web.hand.asked()).toBe(0);
    const saved = await web.db.selectFrom('generations').select('job_key').execute();
    expect(saved).toEqual([{ job_key }]);
  });

  test('an engine makes no more at a time than it can, in all processes together', async () => {
    const { web, one, other, asked } = await startThree({ concurrency: 3 });
    const calls = [0, 1, 2, 3, 4, 5].map((number) => web.generate(number));
    await expect.poll(asked).toBe(3);
    const listRunners = () =>
      web.db.selectFrom('generation_jobs').select('runner').orderBy('runner').execute();
    await expect.poll(async () => (await listRunners()).length).toBe(calls.length);
    const runners = await listRunners();

    for (let made = 0; made < calls.length; made += 1) {
      await expect.poll(asked).toBe(Math.min(made + 3, calls.length));
      const busy = one.hand.waiting() > 0 ? one : other;
      busy.hand.finish();
    }

    expect(runners.filter(({ runner }) => runner === '')).toHaveLength(3);
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200));
  });

  test('a requester has four made at a time and sixteen under way, whichever process they ask', async () => {
    const { servers, asked } = await startServers({}, 'web,worker', 'web,worker', 'worker');
    const [first, second] = servers;
    const calls = Array.from({ length: 16 }, async (_, number) =>
      (number % 2 === 0 ? first : second)?.generate(number),
    );
    await expect.poll(asked).toBe(4);
    await expect
      .poll(
        async () =>
          (await first?.db.selectFrom('generation_jobs').select('state').execute())?.length,
      )
      .toBe(16);

    const refusals = await Promise.all(servers.map((server) => server.generate(16)));

    expect(refusals.map(({ status, body }) => ({ status, body }))).toEqual(
      refusals.map(() => ({
        status: 429,
        body: expect.objectContaining({ code: 'rate_limited' }),
      })),
    );
    for (let made = 0; made < calls.length; made += 1) {
      await expect.poll(asked).toBe(Math.min(made + 4, calls.length));
      servers.find(({ hand }) => hand.waiting() > 0)?.hand.finish();
    }
    const statuses = (await Promise.all(calls)).map((reply) => reply?.status);
    expect(statuses).toEqual(calls.map(() => 200));
  });

  test('what is painted by the process itself has places in each process', async () => {
    const { web, asked } = await startThree({ concurrency: 2, isLocal: true });

    const calls = [0, 1, 2, 3].map((number) => web.generate(number));
    await expect.poll(asked).toBe(4);

    await Promise.all(
      [0, 1, 2, 3].map((number) => web.call(cancelJob, { job_key: getPending(number).job_key })),
    );
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([409, 409, 409, 409]);
  });

  test('a job that is cancelled where it was begun ends where it is made, and its task is cancelled', async () => {
    const cancelled: string[] = [];
    const { web, one, other, asked, readState } = await startThree();
    for (const { hand } of [one, other]) {
      Object.assign(hand.engine, { cancel: async (task: string) => void cancelled.push(task) });
    }
    const reply = web.generate();
    await expect.poll(asked).toBe(1);
    const maker = one.hand.asked() > 0 ? one : other;
    await maker.hand.submit('task of the service');

    await web.call(cancelJob, { job_key });

    expect(await reply).toMatchObject({ status: 409, body: { code: 'generation_cancelled' } });
    await expect.poll(() => cancelled).toEqual(['task of the service']);
    expect(await readState()).toMatchObject({ state: 'cancelled' });
  });

  test('a worker that stops leaves its jobs to another one at once', async () => {
    const { web, one, other, asked } = await startThree();
    const reply = web.generate();
    await expect.poll(asked).toBe(1);
    const [maker, next] = one.hand.asked() > 0 ? [one, other] : [other, one];

    const stopped = maker.services.generationJobs.stop();
    maker.hand.fail(new Error('stopped'));
    await stopped;
    await expect.poll(next.hand.asked).toBe(1);
    next.hand.finish();

    expect((await reply).status).toBe(200);
  });

  test('who waits at a process that stops is told to come back with the key', async () => {
    const { web, one, other, asked } = await startThree();
    const reply = web.generate();
    await expect.poll(asked).toBe(1);

    await web.services.generationJobs.stop();
    const { status, headers, body } = await reply;

    expect({ status, body }).toMatchObject({
      status: 503,
      body: { code: 'generation_interrupted' },
    });
    expect(headers.get('Retry-After')).toBe('1');
    one.hand.finish();
    other.hand.finish();
  });

  test('the job knows the request that it comes from', async () => {
    const { web, one, other, asked } = await startThree();
    const requests: string[] = [];
    const reply = withRequestId('the request', () => web.generate());
    await expect.poll(asked).toBe(1);
    const row = await web.db.selectFrom('generation_jobs').select('request_id').executeTakeFirst();
    requests.push(row?.request_id ?? '');
    one.hand.finish();
    other.hand.finish();
    const { headers } = await reply;

    expect(requests).toEqual([headers.get('X-Request-Id')]);
    const maker = one.hand.asked() > 0 ? one : other;
    expect(maker.hand.requestIds()).toEqual(requests);
  });

  test('an export is made by a process with the role worker, which is woken', async () => {
    const { web, one } = await startThree();
    const { token } = await signIn(web, ada);
    await one.services.exports.watch();
    onTestFinished(() => one.services.exports.stop());

    expect((await web.call(startExport, { by_bot: false }, { token })).status).toBe(204);

    await expect
      .poll(async () => (await web.db.selectFrom('exports').select('state').execute())[0])
      .toEqual({ state: 'ready' });
  });

  test('of several workers one removes old data, and the next time one does again', async () => {
    const { one, other } = await startThree();

    const first = await Promise.all([one, other].map(({ deps }) => sweepInTurn(deps)));
    one.wait(10 * 60_000);
    const second = await sweepInTurn(one.deps);
    const third = await sweepInTurn(one.deps);

    expect(first.filter((isMine) => isMine)).toHaveLength(1);
    expect([second, third]).toEqual([true, false]);
  });
});
