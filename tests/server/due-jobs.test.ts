/** Work that is done at its time: tried again, given up, left to one server, and ended with the chat. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type Database, migrate, openDatabase } from '#server/db/client';
import { Unfinished } from '#server/lib/errors';
import { createLog } from '#server/lib/log';
import { createDueJobs, type DueJob, type NewJob } from '#server/services/due-jobs';
import { startPostgres } from '#tests/postgres';
import { groupId, left, member, moved, startBot } from '#tests/test-bot';
import { minute, openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

const cats = -1_002_345_678_901;
const start = 1_790_000_000_000;

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  let database: Database;
  let now: number;
  let logLines: string[];

  beforeEach(async () => {
    database = await open();
    await migrate(database);
    now = start;
    logLines = [];
  });
  afterEach(() => database.close());

  const toJob = (id: string, dueAt = now): NewJob => ({
    id,
    kind: 'test',
    chatId: cats,
    telegramId: undefined,
    body: '{}',
    dueAt,
  });

  /** The jobs of a server, and those that it has done or tried. */
  function openJobs(handle: (job: DueJob) => Promise<boolean> = async () => true) {
    const log = createLog('info', { write: (line) => void logLines.push(line) });
    const jobs = createDueJobs({ database, clock: () => now, log });
    const tried: string[] = [];
    jobs.handle('test', (job) => {
      tried.push(job.id);
      return handle(job);
    });
    return { jobs, tried };
  }

  /** Lets the leases come closer to their end. */
  const pass = (ms: number) =>
    database.db
      .updateTable('due_jobs')
      .set((eb) => ({ held_until: eb('held_until', '-', ms) }))
      .execute();

  const listRows = () =>
    database.db.selectFrom('due_jobs').select(['id', 'due_at', 'tries']).execute();

  test('a job is done at its time, once, and then gone', async () => {
    const { jobs, tried } = openJobs();
    await jobs.add(toJob('a', now + 1000));
    await jobs.add(toJob('a', now));

    await jobs.runDue();
    expect(tried).toEqual([]);
    now += 1000;
    await jobs.runDue();
    await jobs.runDue();

    expect(tried).toEqual(['a']);
    expect(await listRows()).toEqual([]);
  });

  test.each([
    ['that cannot be done', async () => false],
    ['that fails', () => Promise.reject(new Error('broken'))],
  ])('a job %s is tried after 1, 5, 30 and 180 minutes, and given up', async (_why, handle) => {
    const { jobs, tried } = openJobs(handle);
    await jobs.add(toJob('a'));

    const waits: number[] = [];
    for (const minutes of [0, 1, 5, 30, 180]) {
      now += minutes * minute - 1;
      await jobs.runDue();
      const before = tried.length;
      now += 1;
      await jobs.runDue();
      if (tried.length === before + 1) {
        waits.push(minutes);
      }
    }

    expect(waits).toEqual([0, 1, 5, 30, 180]);
    expect(await listRows()).toEqual([]);
    expect(logLines.filter((line) => line.includes('a job was given up'))).toHaveLength(1);
  });

  test('jobs of a kind in a chat are done in their order, those of other chats meanwhile', async () => {
    const first = Promise.withResolvers<void>();
    const { jobs, tried } = openJobs(async ({ id }) => {
      if (id === 'a') {
        await first.promise;
      }
      return true;
    });
    await jobs.add(toJob('b', now - 1));
    await jobs.add(toJob('a', now - 2));
    await jobs.add({ ...toJob('elsewhere'), chatId: cats - 1 });

    const running = jobs.runDue();
    await expect.poll(() => tried).toEqual(['a', 'elsewhere']);
    first.resolve();
    await running;

    expect(tried).toEqual(['a', 'elsewhere', 'b']);
  });

  test('a job that takes longer than its lease is not begun again by the same server', async () => {
    const answer = Promise.withResolvers<boolean>();
    const { jobs, tried } = openJobs(() => answer.promise);
    await jobs.add(toJob('a'));
    const running = jobs.runDue();
    await expect.poll(() => tried).toEqual(['a']);

    await pass(2 * minute);
    const again = jobs.runDue();
    answer.resolve(true);
    await Promise.all([running, again]);

    expect(tried).toEqual(['a']);
    expect(await listRows()).toEqual([]);
  });

  test('what a server began is done by another when its lease is over, and not before', async () => {
    const stuck = openJobs(() => new Promise<boolean>(() => undefined));
    const other = openJobs();
    await stuck.jobs.add(toJob('a'));
    void stuck.jobs.runDue();
    await expect.poll(() => stuck.tried).toEqual(['a']);

    await pass(minute / 2);
    await other.jobs.runDue();
    expect(other.tried).toEqual([]);
    await pass(minute / 2);
    await other.jobs.runDue();

    expect(other.tried).toEqual(['a']);
  });

  test('a job that is interrupted by a stop is done by the next server at once', async () => {
    const stopped = openJobs(() => Promise.reject(new Unfinished()));
    await stopped.jobs.add(toJob('a'));
    await stopped.jobs.runDue();
    expect(await listRows()).toEqual([{ id: 'a', due_at: start, tries: 0 }]);

    const next = openJobs();
    await next.jobs.runDue();

    expect(next.tried).toEqual(['a']);
    expect(logLines).toEqual([]);
  });

  test('a job of an unknown kind ends at its time', async () => {
    const { jobs, tried } = openJobs();
    await jobs.add({ ...toJob('a', now + 5), kind: 'gone' });
    await jobs.runDue();
    expect(await listRows()).toHaveLength(1);

    now += 5;
    await jobs.runDue();

    expect(await listRows()).toEqual([]);
    expect(tried).toEqual([]);
  });

  test('two servers do each job once', async () => {
    const servers = [openJobs(), openJobs()];
    for (let index = 0; index < 60; index += 1) {
      await servers[0]?.jobs.add({ ...toJob(`job ${index}`), chatId: cats - (index % 7) });
    }

    await Promise.all(servers.map(({ jobs }) => jobs.runDue()));

    const all = servers.flatMap(({ tried }) => tried);
    expect(all).toHaveLength(60);
    expect(new Set(all).size).toBe(60);
    expect(await listRows()).toEqual([]);
  });

  test('a started server does jobs by itself, also those of one that was killed', async () => {
    await openJobs().jobs.add(toJob('a'));
    // The killed one had begun it; who starts has the lock, so that no other server can have it.
    await database.db
      .updateTable('due_jobs')
      .set({ held_until: Date.now() + minute })
      .execute();
    const { jobs, tried } = openJobs();

    jobs.start();

    await expect.poll(() => tried).toEqual(['a']);
    await jobs.stop();
  });
});

test('the jobs of a chat end when the bot leaves it', async () => {
  const { server, hears } = await startBot();
  const job = { kind: 'test', telegramId: undefined, body: '{}', dueAt: server.now() + minute };
  const { dueJobs } = server.services;
  await dueJobs.add({ ...job, id: 'here', chatId: groupId });
  await dueJobs.add({ ...job, id: 'elsewhere', chatId: groupId - 1 });

  await hears(moved(left, member));
  expect(await dueJobs.find('here')).toBeDefined();
  await hears(moved(member, left));

  expect(await dueJobs.find('here')).toBeUndefined();
  expect(await dueJobs.find('elsewhere')).toBeDefined();
});
