/** Which code works with which tables: what migrations may do, and what a server does that finds tables of a newer version. */
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';

import { type Database, migrate, migrations, openDatabase, readSchema } from '#server/db/client';
import { type TableMigration } from '#server/db/migrations/in-order';
import { startPostgres } from '#tests/postgres';
import { openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

const names = Object.keys(migrations);
const newest = names.at(-1) ?? '';

/** Leaves what the migration of a later version leaves. */
async function runFuture({ db }: Database, name: string, oldestCode?: string): Promise<void> {
  await sql`alter table chats add column colour text`.execute(db);
  await sql`insert into kysely_migration (name, timestamp) values (${name}, '2030-01-01T00:00:00.000Z')`.execute(
    db,
  );
  if (oldestCode !== undefined) {
    await sql`insert into schema_versions (name, oldest_code) values (${name}, ${oldestCode})`.execute(
      db,
    );
  }
}

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  test('each migration leaves a note of the oldest code that works with its tables', async () => {
    const database = await open();

    const ran = await migrate(database);
    const again = await migrate(database);

    expect(ran).toEqual(names);
    expect(again).toEqual([]);
    const noted = await database.db.selectFrom('schema_versions').selectAll().execute();
    expect(noted).toContainEqual({ name: '0020-several-machines', oldest_code: '0019-trust' });
    expect(noted.map(({ name }) => name)).toEqual(names.filter((name) => name >= '0020'));
    await database.close();
  });

  test('tables of a newer version are left as they are when this version works with them', async () => {
    const database = await open();
    await migrate(database);
    await runFuture(database, '9998-future', newest);

    expect(await migrate(database)).toEqual([]);
    expect(await readSchema(database.db)).toMatchObject({
      newer: ['9998-future'],
      refusing: [],
      pending: [],
    });
    await database.close();
  });

  test.each([
    ['that needs newer code', '9997-expand'],
    ['that says nothing', undefined],
  ])('tables of a migration %s are refused in one line', async (_case, oldestCode) => {
    const database = await open();
    await migrate(database);
    await runFuture(database, '9998-future', oldestCode);

    await expect(migrate(database)).rejects.toThrow(
      /^its tables are those of a newer version of Nori: this version does not work with them since the migration 9998-future\. Start a version/,
    );
    await database.close();
  });

  test('a migration that fails leaves nothing of itself', async () => {
    const database = await open();
    await migrate(database, { to: '0019-trust' });
    await sql`create table loose_objects (name text)`.execute(database.db);

    await expect(migrate(database)).rejects.toThrow(/loose_objects/);
    const { executed } = await readSchema(database.db);
    const tables = await database.db.introspection.getTables();
    await sql`drop table loose_objects`.execute(database.db);

    expect(executed.at(-1)).toBe('0019-trust');
    expect(tables.map(({ name }) => name)).not.toContain('chat_events');
    expect(await migrate(database)).toContain('0020-several-machines');
    await database.close();
  });
});

/** What only adds: older code neither reads it nor has to write it. */
const additions = [
  /^create table \w+ \(/,
  /^create index \w+ on \w+ /,
  /^alter table \w+ add column \w+ (?:bigint|text)$/,
  /^alter table \w+ add column \w+ (?:bigint|text) not null default \S+$/,
];

/** A table that refers to another keeps rows of that one from being deleted, of which older code knows nothing. */
const holdsOthers = /\breferences\s+\w+\s*\([^)]*\)(?!\s*on delete (?:cascade|set null))/;

function findBreaks({ statements, contract }: Pick<TableMigration, 'statements' | 'contract'>) {
  return contract === undefined
    ? statements.filter(
        (statement) =>
          !additions.some((pattern) => pattern.test(statement.trim())) ||
          holdsOthers.test(statement),
      )
    : [];
}

describe('a migration', () => {
  const ruled = Object.entries(migrations).filter(([name]) => name >= '0020');

  test.each(ruled)('%s only adds, or says why it may take away', (name, migration) => {
    expect(findBreaks(migration)).toEqual([]);
    expect(migration.oldestCode ?? name).toSatisfy((code: string) => names.includes(code));
    // What only adds keeps the code of the release before it working; what takes away names that release.
    const isSound =
      migration.contract === undefined
        ? (migration.oldestCode ?? name) < name
        : /\d+\.\d+/.test(migration.contract);
    expect(isSound).toBe(true);
  });

  test.each([
    'drop table chats',
    'alter table chats drop column chat_name',
    'alter table chats rename column chat_name to name',
    'alter table chats rename to groups',
    'alter table chats alter column chat_id type text',
    'alter table chats add column colour text not null',
    'alter table chats add column colour text references people (telegram_id)',
    'create unique index chats_by_name on chats (chat_name)',
    'create table moods (telegram_id bigint not null references people (telegram_id), mood text)',
    "update chats set chat_name = ''",
    'delete from chats',
  ])('is refused with “%s”, unless it is a contract', (statement) => {
    expect(findBreaks({ statements: [statement] })).toEqual([statement]);
    expect(findBreaks({ statements: [statement], contract: 'unread since release 1.4' })).toEqual(
      [],
    );
  });

  test.each([
    'create table moods (telegram_id bigint primary key references people (telegram_id) on delete cascade)',
    'alter table chats add column colour text',
    "alter table chats add column colour text not null default ''",
    'create index chats_by_name on chats (chat_name)',
  ])('may say “%s”', (statement) => {
    expect(findBreaks({ statements: [statement] })).toEqual([]);
  });
});
