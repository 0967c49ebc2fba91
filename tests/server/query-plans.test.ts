/** Removing a row looks for the rows that refer to it, and finds them by an index. */
import { sql } from 'kysely';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { type Database, migrate, openDatabase } from '#server/db/client';
import { startPostgres } from '#tests/postgres';
import { openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

type Reference = { readonly child: string; readonly column: string; readonly type: string };

/** Every column that refers to a row of another table, as SQLite lists them; the tables are the same on both. */
async function listReferences(): Promise<readonly Reference[]> {
  const { db, close, ...rest } = openDatabase({});
  await migrate({ db, close, ...rest });
  const { rows } = await sql<Reference>`
    select tables.name as child, keys."from" as "column", lower(columns.type) as type
    from sqlite_master as tables, pragma_foreign_key_list(tables.name) as keys,
      pragma_table_info(tables.name) as columns
    where tables.type = 'table' and columns.name = keys."from" and keys.seq = 0
    order by 1, 2`.execute(db);
  await close();
  return rows;
}

const references = await listReferences();

/** The lookup of a cascade, and how the database would run it. */
async function explain(
  { db, engine }: Database,
  { child, column, type }: Reference,
): Promise<string> {
  const value = type === 'text' ? `''` : '0';
  const lookup = `delete from ${child} where ${column} = ${value}`;
  if (engine === 'sqlite') {
    const { rows } = await sql<{
      detail: string;
    }>`${sql.raw(`explain query plan ${lookup}`)}`.execute(db);
    return rows.map(({ detail }) => detail).join('\n');
  }
  return db.transaction().execute(async (tx) => {
    // An empty table is otherwise read whole, whatever indexes it has.
    await sql`set local enable_seqscan = off`.execute(tx);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`${sql.raw(`explain ${lookup}`)}`.execute(
      tx,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}

const engines: Record<string, { open: () => Promise<Database>; wholeTable: RegExp }> = {
  SQLite: { open: async () => openDatabase({}), wholeTable: /\bSCAN\b/ },
  ...(postgres
    ? { PostgreSQL: { open: () => openTestDatabase(postgres.url), wholeTable: /Seq Scan/ } }
    : {}),
};

test('the generations of a picture and the pictures of a user are such references', () => {
  expect(references).toContainEqual({ child: 'generations', column: 'picture_id', type: 'text' });
  expect(references).toContainEqual({ child: 'pictures', column: 'telegram_id', type: 'bigint' });
});

describe.each(Object.entries(engines))('on %s', (_engine, { open, wholeTable }) => {
  test('no reference is looked for in the whole table', async () => {
    const database = await open();
    onTestFinished(database.close);
    await migrate(database);

    const plans = await Promise.all(references.map((reference) => explain(database, reference)));

    expect(plans.filter((plan) => wholeTable.test(plan))).toEqual([]);
    expect(plans.every((plan) => /index|primary key|search/i.test(plan))).toBe(true);
  });
});
