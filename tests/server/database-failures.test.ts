/** Which errors of the real database drivers are temporary, and which are not. */
import { sql } from 'kysely';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, onTestFinished, test } from 'vitest';

import { openDatabase } from '#server/db/client';
import { isDatabaseAway } from '#server/db/failures';
import { startPostgres } from '#tests/postgres';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

/** The error that the statement throws; undefined when it succeeds. */
async function getError(url: string | undefined, ...statements: readonly string[]) {
  const { db, close } = openDatabase({ url });
  try {
    for (const statement of statements) {
      // In order: the last statement is the one that fails.
      await sql.raw(statement).execute(db);
    }
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await close();
  }
}

test.each([
  ['may only be read', ['pragma query_only = on', 'create table t (x)'], true],
  [
    'is full',
    ['create table t (x)', 'pragma max_page_count = 3', 'insert into t select zeroblob(100000)'],
    true,
  ],
  ['does not know the table', ['select * from nowhere'], false],
  [
    'has the row already',
    ['create table t (x unique)', ...twice('insert into t values (1)')],
    false,
  ],
])('SQLite that %s', async (_, statements, isAway) => {
  const error = await getError(undefined, ...statements);

  expect(error).toBeInstanceOf(Error);
  expect(isDatabaseAway(error)).toBe(isAway);
});

test('SQLite is locked by a write of another process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nori-busy-'));
  const file = join(folder, 'nori.db');
  const [one, other] = [new DatabaseSync(file), new DatabaseSync(file, { timeout: 0 })];
  onTestFinished(async () => {
    one.close();
    other.close();
    await rm(folder, { recursive: true });
  });
  one.exec('begin exclusive');

  let error: unknown;
  try {
    other.exec('create table t (x)');
  } catch (thrown) {
    error = thrown;
  }
  expect(isDatabaseAway(error)).toBe(true);
});

test('PostgreSQL cannot be reached', async () => {
  expect(isDatabaseAway(await getError('postgres://nori@127.0.0.1:9/postgres', 'select 1'))).toBe(
    true,
  );
});

test('PostgreSQL is reached by a socket, which is gone while it restarts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nori-no-socket-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const url = `postgres://nori@localhost/postgres?host=${encodeURIComponent(folder)}`;

  expect(isDatabaseAway(await getError(url, 'select 1'))).toBe(true);
});

test.runIf(postgres !== undefined).each([
  ['ends the connection', ['select pg_terminate_backend(pg_backend_pid())'], true],
  ['is a standby', ['set transaction read only; create table never (x int)'], true],
  ['does not know the table', ['select * from nowhere'], false],
  [
    'has the row already',
    ['create temp table t (x int unique); insert into t values (1), (1)'],
    false,
  ],
])('PostgreSQL that %s', async (_, statements, isAway) => {
  const error = await getError(postgres?.url, ...statements);

  expect(error).toBeInstanceOf(Error);
  expect(isDatabaseAway(error)).toBe(isAway);
});

test('an error that is not from a database', () => {
  for (const error of [new TypeError('x is not a function'), new Error('broken'), undefined]) {
    expect(isDatabaseAway(error)).toBe(false);
  }
});

function twice(statement: string): readonly [string, string] {
  return [statement, statement];
}
