/** A job that a second server has taken over: the first, late, destroys nothing that the second has kept. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { listGenerations } from '#contract/endpoints/generations';
import { generate, readJob } from '#contract/endpoints/images';
import { generateMidjourney } from '#contract/endpoints/midjourney';
import { type Database, migrate, openDatabase } from '#server/db/client';
import { AppError } from '#server/lib/errors';
import { signIn } from '#tests/chats';
import { createHandEngine } from '#tests/image-engines';
import { getPending } from '#tests/image-services';
import { startPostgres } from '#tests/postgres';
import { createMemoryStore, createTestServer, openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

const input = getPending();
const { job_key } = input;
const ada = 111;

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  /** Two servers with the same database and files, and a picture that the first one is making. */
  async function startTwo() {
    const database = await open();
    await migrate(database);
    const shared = {
      database: { ...database, close: async () => undefined },
      objects: createMemoryStore(),
    };
    const [early, late] = [createHandEngine({ concurrency: 1 }), createHandEngine()];
    const { engine } = early;
    const first = await createTestServer({
      ...shared,
      engines: { pixai: engine, midjourney: engine },
    });
    const second = await createTestServer({ ...shared, engines: { pixai: late.engine } });
    onTestFinished(async () => {
      await Promise.all([first, second].map(({ services }) => services.generationJobs.stop()));
      await database.close();
    });
    const me = await signIn(first, ada);
    const asked = first.call(generate, input, me);
    await expect.poll(early.asked).toBe(1);
    return {
      first: { server: first, hand: early },
      second: { server: second, hand: late },
      objects: shared.objects,
      me,
      asked,
      /** The first server pauses for longer than its lease, and the second takes its jobs over. */
      takeOver: async () => {
        await database.db.updateTable('generation_jobs').set({ held_until: 0 }).execute();
        await second.services.generationJobs.resume();
      },
      /** Resolves when the first server has nothing more to do for the job: the engine is then free for another one. */
      untilFirstLeaves: async () => {
        const other = first.call(generateMidjourney, { prompt: 'a plum' });
        await expect.poll(early.asked).toBe(2);
        early.finish();
        await other;
      },
      readHistory: async () => (await second.call(listGenerations, {}, me)).body,
      readState: async () => (await second.call(readJob, { job_key }, me)).body,
    };
  }

  test('the picture of the second server stays, and the first server hands out that one', async () => {
    const { first, second, objects, me, asked, takeOver, readHistory, readState } =
      await startTwo();
    await takeOver();
    await expect.poll(second.hand.asked).toBe(1);
    second.hand.finish();
    await expect.poll(readState).toMatchObject({ state: 'done' });
    const kept = await readHistory();
    const files = objects.names();

    first.hand.finish();
    const reply = await asked;
    const again = await second.server.call(generate, input, me);

    expect(kept).toMatchObject({ generations: [{ job_key }] });
    expect(await readHistory()).toEqual(kept);
    expect(objects.names().toSorted()).toEqual(files.toSorted());
    expect(reply.status).toBe(200);
    expect(again.headers.get('X-Nori-Generation')).toBe(reply.headers.get('X-Nori-Generation'));
    expect(await readState()).toMatchObject({ state: 'done' });
  });

  test('a first server that is ready before the second one saves nothing, and the second one does', async () => {
    const { first, second, asked, ...world } = await startTwo();
    const { takeOver, untilFirstLeaves, readHistory, readState } = world;
    await takeOver();
    await expect.poll(second.hand.asked).toBe(1);
    first.hand.finish();
    await untilFirstLeaves();

    expect(await readHistory()).toMatchObject({ generations: [] });
    second.hand.finish();
    await expect.poll(readState).toMatchObject({ state: 'done' });

    expect(await readHistory()).toMatchObject({ generations: [{ job_key }] });
    expect((await asked).status).toBe(200);
  });

  test('a first server that fails late fails nothing', async () => {
    const { first, second, asked, ...world } = await startTwo();
    const { takeOver, untilFirstLeaves, readHistory, readState } = world;
    await takeOver();
    await expect.poll(second.hand.asked).toBe(1);

    first.hand.fail(new AppError('image_service_unavailable'));
    await untilFirstLeaves();
    expect(await readState()).toMatchObject({ state: 'running' });
    second.hand.finish();
    await expect.poll(readState).toMatchObject({ state: 'done' });

    expect(await readHistory()).toMatchObject({ generations: [{ job_key }] });
    expect((await asked).status).toBe(200);
  });

  test('a task that the first server submits late does not become the task of the job', async () => {
    const { first, second, asked, takeOver, untilFirstLeaves, readState } = await startTwo();
    await takeOver();
    await expect.poll(second.hand.asked).toBe(1);
    await second.hand.submit('task of the second');

    await expect(first.hand.submit('task of the first')).rejects.toThrow('generation_interrupted');
    first.hand.fail(new Error('submitted late'));
    await untilFirstLeaves();

    const job = await first.server.db
      .selectFrom('generation_jobs')
      .select('task_id')
      .where('job_key', '=', job_key)
      .executeTakeFirst();
    expect(job?.task_id).toBe('task of the second');
    expect(await readState()).toMatchObject({ state: 'running' });
    second.hand.finish();
    expect((await asked).status).toBe(200);
  });
});
