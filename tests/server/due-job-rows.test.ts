/** What the bot does later, as it is stored: each job is done by one process, on both databases. */
import { afterAll, afterEach, assert, beforeEach, describe, expect, test } from 'vitest';

import { type Database, migrate, openDatabase } from '#server/db/client';
import { createDueJobRepository } from '#server/db/due-jobs';
import { startPostgres } from '#tests/postgres';
import { openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

/** Ids beyond 32 bits, as Telegram's are. */
const cats = -1_002_345_678_901;
const dogs = -1_002_345_678_902;
const ann = 7_123_456_789;
const now = 1_790_000_000_000;

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
    await migrate(database);
  });
  afterEach(() => database.close());

  const jobs = () => createDueJobRepository(database);
  const job = (id: string, dueAt = now, kind = 'log') => ({
    id,
    kind,
    chatId: cats,
    telegramId: undefined,
    body: JSON.stringify({ id }),
    dueAt,
  });
  const claim = { limit: 100, leaseMs: 60_000 };
  /** Lets the leases come closer to their end. */
  const pass = (ms: number) =>
    database.db
      .updateTable('due_jobs')
      .set((eb) => ({ held_until: eb('held_until', '-', ms) }))
      .execute();
  const listIds = (due: readonly { readonly id: string }[]) => due.map(({ id }) => id);

  test('a job is added once, and claimed when it is due, the longest overdue first', async () => {
    expect(await jobs().add(job('b', now))).toBe(true);
    expect(await jobs().add(job('b', now - 5))).toBe(false);
    await jobs().add({ ...job('a', now - 1), telegramId: ann });
    await jobs().add(job('later', now + 1));

    expect(await jobs().readNextDueAt()).toBe(now - 1);
    const due = await jobs().claimDue(now, claim);
    expect(listIds(due)).toEqual(['a', 'b']);
    expect(due[0]).toEqual({
      id: 'a',
      kind: 'log',
      chatId: cats,
      telegramId: ann,
      body: '{"id":"a"}',
      dueAt: now - 1,
      tries: 0,
      epoch: 1,
      requestId: '',
    });
    expect(await jobs().readNextDueAt()).toBe(now + 1);
  });

  test('several processes that claim at once get each job once', async () => {
    for (let index = 0; index < 30; index += 1) {
      await jobs().add(job(`job ${index}`, now - index));
    }

    const claimed = await Promise.all(
      Array.from({ length: 6 }, () => jobs().claimDue(now, { ...claim, limit: 10 })),
    );
    const rest = await jobs().claimDue(now, claim);

    const all = [...claimed.flat(), ...rest].map(({ id }) => id);
    expect(all).toHaveLength(30);
    expect(new Set(all).size).toBe(30);
  });

  test('the jobs of a process that ended are due again when its lease is over', async () => {
    await jobs().add(job('a'));
    await jobs().claimDue(now, claim);

    await pass(30_000);
    expect(await jobs().claimDue(now, claim)).toEqual([]);
    await pass(30_000);
    expect(await jobs().claimDue(now, claim)).toHaveLength(1);
    await jobs().releaseAll();
    expect(await jobs().claimDue(now, claim)).toHaveLength(1);
  });

  test('a lease is timed by the clock of the database, whatever that of a process says', async () => {
    await jobs().add(job('a'));
    await jobs().claimDue(now, claim);

    expect(await jobs().claimDue(now + 3_600_000, claim)).toEqual([]);
  });

  test('what a process writes of an earlier claim changes nothing', async () => {
    await jobs().add(job('a'));
    const [late] = await jobs().claimDue(now, claim);
    await pass(60_000);
    const [current] = await jobs().claimDue(now, claim);
    assert(late !== undefined && current !== undefined);
    const rows = () => database.db.selectFrom('due_jobs').selectAll().execute();
    const before = await rows();

    await jobs().renew([late], 3_600_000);
    await jobs().postpone(late, now + 5, 1);
    await jobs().remove(late);
    expect(await rows()).toEqual(before);

    await jobs().remove(current);
    expect(await rows()).toEqual([]);
  });

  test('only the wanted kinds are claimed', async () => {
    await jobs().add(job('a', now, 'log'));
    await jobs().add(job('b', now, 'unmute'));

    expect(listIds(await jobs().claimDue(now, { ...claim, kinds: ['unmute'] }))).toEqual(['b']);
    expect(listIds(await jobs().claimDue(now, claim))).toEqual(['a']);
  });

  test('a job that failed waits for its next time, and one that is done is gone', async () => {
    await jobs().add(job('a'));
    await jobs().add(job('b'));
    const [a, b] = await jobs().claimDue(now, claim);
    assert(a !== undefined && b !== undefined);

    await jobs().postpone(a, now + 60, 1);
    await jobs().remove(b);

    expect(await jobs().claimDue(now + 59, claim)).toEqual([]);
    expect(await jobs().claimDue(now + 60, claim)).toMatchObject([{ id: 'a', tries: 1 }]);
  });

  test('a job that is added again while it is being done is due once more', async () => {
    await jobs().add(job('a'));
    await jobs().add(job('b'));
    const [a, b] = await jobs().claimDue(now, claim);
    assert(a !== undefined && b !== undefined);

    for (const id of ['a', 'b', 'c']) {
      await jobs().addAgain(job(id, now + 5));
    }
    expect(await jobs().claimDue(now + 5, claim)).toMatchObject([{ id: 'c' }]);
    await jobs().remove(a);
    await jobs().postpone(b, now + 60, 1);

    expect(await jobs().claimDue(now + 4, claim)).toEqual([]);
    expect(await jobs().claimDue(now + 5, claim)).toMatchObject([
      { id: 'a', tries: 0 },
      { id: 'b', tries: 0 },
    ]);
  });

  test('a lease can be extended', async () => {
    await jobs().add(job('a'));
    const claimed = await jobs().claimDue(now, claim);

    await jobs().renew(claimed, 120_000);

    await pass(60_000);
    expect(await jobs().claimDue(now, claim)).toEqual([]);
    await pass(60_000);
    expect(await jobs().claimDue(now, claim)).toHaveLength(1);
  });

  test('of two who change the body of a job at once, one does', async () => {
    await jobs().add(job('a'));

    const [isOne, isOther] = await Promise.all([
      jobs().changeBody(job('a'), '"one"'),
      jobs().changeBody(job('a'), '"other"'),
    ]);

    expect(isOne).toBe(!isOther);
    expect(await jobs().find('a')).toMatchObject({ body: isOne ? '"one"' : '"other"' });
  });

  test('of two who take a job at once, one gets it', async () => {
    await jobs().add(job('a'));

    const taken = await Promise.all([jobs().take('a'), jobs().take('a')]);

    expect(taken.filter((one) => one !== undefined)).toMatchObject([{ id: 'a' }]);
  });

  test('the jobs of a chat end when the bot is out of it', async () => {
    await jobs().add(job('a'));
    await jobs().add({ ...job('b'), chatId: dogs });

    await jobs().removeInChat(cats);

    expect(listIds(await jobs().claimDue(now, claim))).toEqual(['b']);
  });
});
