/**
 * Reads all rows as they were at one moment, while others write, and loads them into empty tables. Rows of SQLite and
 * PostgreSQL are the same: numbers, texts and null.
 */
import { type Kysely, sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';

import { type Database, migrate, readSchema, SchemaMistake, unfinishedRestore } from './client.ts';
import { type Tables } from './tables.ts';

export type Row = Readonly<Record<string, string | number | null>>;

const rowSchema = v.record(v.string(), v.union([v.string(), v.number(), v.null()]));
const rowsSchema = v.array(rowSchema);

export const parseRow = (line: string): Row => v.parse(rowSchema, JSON.parse(line));

/** What becomes of the rows of a table on another machine: columns that are set anew, or the table is left out. */
type Rule<Columns> = 'left out' | { readonly [C in keyof Columns]?: '' | 0 };

/** Rows refer to rows of tables above them. No process of another machine has a lease. */
const rules: { readonly [T in keyof Tables]: Rule<Tables[T]> } = {
  people: {},
  registrations: {},
  sessions: {},
  used_launches: {},
  account_events: {},
  passkeys: {},
  passkey_challenges: {},
  exports: { held_until: 0 },
  otps: {},
  chats: {},
  chat_managers: {},
  topics: {},
  topic_settings: {},
  chat_upgrades: {},
  usage: {},
  generation_jobs: { runner: '', held_until: 0 },
  bot_chats: {},
  bot_profile: {},
  topic_names: {},
  setting_changes: {},
  setting_change_items: {},
  setting_value_items: {},
  chat_values: {},
  people_seen: {},
  seen_messages: {},
  warnings: {},
  approvals: {},
  actions: {},
  due_jobs: { held_until: 0 },
  deletions: {},
  due_deletions: { leased_until: 0 },
  bot_inbox: { runner: '', leased_until: 0 },
  due_hints: {},
  rate_buckets: {},
  model_names: {},
  pictures: {},
  generations: {},
  further_pictures: {},
  connections: {},
  connection_attempts: {},
  kept_keys: {},
  contents: {},
  join_checks: {},
  recent_joins: {},
  last_greetings: {},
  chat_numbers: {},
  away: {},
  whispers: {},
  sticker_packs: {},
  adult_confirmations: {},
  // Of the moment: no page of another machine follows them.
  chat_events: 'left out',
  // Only objects that rows name are in a backup.
  loose_objects: 'left out',
  // Another message log counts from the beginning.
  bot_positions: 'left out',
  // Migrations write them.
  schema_versions: 'left out',
};

const tableRules: ReadonlyMap<string, Rule<Row>> = new Map(Object.entries<Rule<Row>>(rules));

export type Snapshot = {
  /** The last migration that has run. */
  readonly migration: string;
  /** In the order in which they can be loaded. */
  readonly tables: readonly string[];
  /** The rows of one table, piece by piece. */
  readonly read: (table: string) => AsyncGenerator<readonly Row[]>;
};

const rowsPerRead = 1000;

/** The snapshot is of one moment, and ends with the returned promise. Others write meanwhile. */
export async function withSnapshot<Result>(
  database: Pick<Database, 'db' | 'engine'>,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  if (database.engine === 'postgres') {
    return database.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        // Files are written between two statements.
        await sql`set local statement_timeout = 0`.execute(tx);
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
        return work(await describe(tx, (table) => readByCursor(tx, table)));
      });
  }
  return database.db.connection().execute(async (connection) => {
    await sql`begin`.execute(connection);
    try {
      return await work(await describe(connection, (table) => readByNumber(connection, table)));
    } finally {
      await sql`rollback`.execute(connection);
    }
  });
}

async function describe(db: Kysely<Tables>, read: Snapshot['read']): Promise<Snapshot> {
  const { executed, isRestoring } = await readSchema(db);
  const migration = executed.at(-1);
  if (migration === undefined || isRestoring) {
    throw new SchemaMistake(
      isRestoring ? 'a restore into it has not ended' : 'there are no tables of Nori in it',
    );
  }
  const existing = await listTables(db);
  const tables = [...tableRules].flatMap(([table, rule]) =>
    rule !== 'left out' && existing.has(table) ? [table] : [],
  );
  return { migration, tables, read };
}

async function listTables(db: Kysely<Tables>): Promise<ReadonlySet<string>> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return new Set(tables.map(({ name }) => name));
}

async function* readByCursor(db: Kysely<Tables>, table: string): AsyncGenerator<readonly Row[]> {
  await sql`declare backup_rows no scroll cursor for select * from ${sql.table(table)}`.execute(db);
  for (;;) {
    const { rows } = await sql`fetch ${sql.lit(rowsPerRead)} from backup_rows`.execute(db);
    if (rows.length === 0) {
      break;
    }
    yield v.parse(rowsSchema, rows);
  }
  await sql`close backup_rows`.execute(db);
}

const numberedRows = v.array(v.looseObject({ backup_number: v.number() }));

/** By the number that SQLite gives each row. */
async function* readByNumber(db: Kysely<Tables>, table: string): AsyncGenerator<readonly Row[]> {
  for (let last = Number.MIN_SAFE_INTEGER; ;) {
    const { rows } = await sql`
      select rowid as backup_number, * from ${sql.table(table)}
      where rowid > ${last} order by rowid limit ${rowsPerRead}`.execute(db);
    const numbered = v.parse(numberedRows, rows);
    if (numbered.length === 0) {
      return;
    }
    last = numbered.at(-1)?.backup_number ?? last;
    yield v.parse(
      rowsSchema,
      numbered.map(({ backup_number: _number, ...row }) => row),
    );
  }
}

/** What the objects are called that belong to a row. */
export function listObjects(table: string, row: Row): readonly string[] {
  const id = String(row['id']);
  if (table === 'pictures') {
    return [`${id}-original`, `${id}-thumbnail`];
  }
  if (table === 'generation_jobs') {
    return readIds(row['picture_ids']).map((one) => `${one}-job`);
  }
  if (table === 'exports' && row['state'] === 'ready') {
    return [typeof row['file'] === 'string' ? row['file'] : `${id}-export`];
  }
  return [];
}

/** The tables whose rows have objects. */
export const tablesWithObjects = ['pictures', 'generation_jobs', 'exports'] as const;

const idList = v.array(v.string());

function readIds(json: Row[string] | undefined): readonly string[] {
  return typeof json === 'string' ? v.parse(idList, JSON.parse(json)) : [];
}

/** Whether a row of the database as it is now has the object. */
export async function hasRow(db: Kysely<Tables>, object: string): Promise<boolean> {
  const [, id = '', kind] = /^(.*)-([a-z]+)$/.exec(object) ?? [];
  if (kind === 'original' || kind === 'thumbnail') {
    const { rows } = await sql`select id from pictures where id = ${id}`.execute(db);
    return rows.length > 0;
  }
  // Both are kept for a day, so there are few of them.
  const { rows } =
    kind === 'job'
      ? await sql`select * from generation_jobs where picture_ids like ${`%"${id}"%`}`.execute(db)
      : await sql`select * from exports`.execute(db);
  const table = kind === 'job' ? 'generation_jobs' : 'exports';
  return v.parse(rowsSchema, rows).some((row) => listObjects(table, row).includes(object));
}

/**
 * Returns a function that says whether a row is left out because an object is missing that belongs to it, or to a row
 * that it refers to. To be called with the rows of each table in the order of the tables.
 */
export function createLeavingOut(
  missing: ReadonlySet<string>,
): (table: string, row: Row) => boolean {
  const generations = new Set<string>();
  const isMissing = (picture: Row[string] | undefined) => missing.has(`${picture}-original`);
  return (table, row) => {
    if (table === 'further_pictures') {
      return generations.has(String(row['generation_id'])) || isMissing(row['picture_id']);
    }
    if (table === 'generations' && isMissing(row['picture_id'])) {
      generations.add(String(row['id']));
      return true;
    }
    return listObjects(table, row).some(
      (name) => missing.has(name) && !name.endsWith('-thumbnail'),
    );
  };
}

/**
 * Makes the database ready for the rows of a backup, or for going on with a restore of the same backup. Returns whether
 * the rows are there already. Throws `SchemaMistake` when the database has other rows. `check` may throw before anything
 * is changed.
 */
export async function beginRestore(
  { db }: Pick<Database, 'db'>,
  { backup, check }: { readonly backup: string; readonly check: () => Promise<void> },
): Promise<{ readonly hasRows: boolean }> {
  const existing = await listTables(db);
  if (existing.has(unfinishedRestore)) {
    const { rows } = await sql<{ backup: string; has_rows: number }>`
      select backup, has_rows from ${sql.table(unfinishedRestore)}`.execute(db);
    const [begun] = rows;
    if (begun?.backup !== backup) {
      throw new SchemaMistake('the restore of another backup has begun in it and has not ended');
    }
    return { hasRows: begun.has_rows === 1 };
  }
  const ours = [...tableRules.keys()].filter((table) => existing.has(table));
  for (const table of ours.filter((name) => name !== 'schema_versions')) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
    if (rows.length > 0) {
      throw new SchemaMistake(`it is not empty: the table ${table} has rows`);
    }
  }
  await check();
  await db.transaction().execute(async (tx) => {
    const kyselys = ['kysely_migration', 'kysely_migration_lock'].filter((name) =>
      existing.has(name),
    );
    // The tables of this code may be newer than those of the backup.
    for (const table of [...ours.toReversed(), ...kyselys]) {
      await sql`drop table ${sql.table(table)}`.execute(tx);
    }
    await sql`create table ${sql.table(unfinishedRestore)} (backup text not null, has_rows bigint not null)`.execute(
      tx,
    );
    await sql`insert into ${sql.table(unfinishedRestore)} (backup, has_rows) values (${backup}, 0)`.execute(
      tx,
    );
  });
  return { hasRows: false };
}

type TableRows = { readonly table: string; readonly rows: AsyncIterable<Row> };

/** PostgreSQL and SQLite take only so many parameters. */
const maxParameters = 10_000;

/** Makes the tables of the backup's version, and loads all rows in one transaction. Returns how many. */
export async function loadRows(
  database: Pick<Database, 'db' | 'engine'>,
  { migration, tables }: { readonly migration: string; readonly tables: readonly TableRows[] },
): Promise<number> {
  await migrate(database, { to: migration, isRestore: true });
  return database.db.transaction().execute(async (tx) => {
    if (database.engine === 'postgres') {
      await sql`set local statement_timeout = 0`.execute(tx);
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    }
    let count = 0;
    for (const { table, rows } of tables) {
      count += await loadTable(tx, table, rows);
    }
    await sql`update ${sql.table(unfinishedRestore)} set has_rows = 1`.execute(tx);
    return count;
  });
}

async function loadTable(
  tx: Kysely<Tables>,
  table: string,
  rows: AsyncIterable<Row>,
): Promise<number> {
  const rule = tableRules.get(table) ?? {};
  let count = 0;
  let batch: Row[] = [];
  let columns: readonly string[] = [];
  const insert = async () => {
    if (batch.length > 0) {
      const values = batch.map(
        (row) => sql`(${sql.join(columns.map((name) => row[name] ?? null))})`,
      );
      await sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
        values ${sql.join(values)}`.execute(tx);
      batch = [];
    }
  };
  for await (const row of rows) {
    const cleared = Object.entries(rule === 'left out' ? {} : rule);
    const changed = { ...row };
    for (const [name, value] of cleared) {
      // Older tables may lack the column.
      if (name in row && value !== undefined) {
        changed[name] = value;
      }
    }
    columns = Object.keys(row);
    batch.push(changed);
    count += 1;
    if (batch.length * columns.length >= maxParameters) {
      await insert();
    }
  }
  await insert();
  return count;
}

/** Brings the tables up to date. From then on servers may start. */
export async function endRestore(database: Pick<Database, 'db' | 'engine'>): Promise<void> {
  await migrate(database, { isRestore: true });
  await sql`drop table ${sql.table(unfinishedRestore)}`.execute(database.db);
}

const objectKeys = { pictures: 'id', generation_jobs: 'job_key', exports: 'id' } as const;
const startBytes = 12;

/** Rows that have objects: all of them, or some from a random place in each table. */
export async function* sampleRows(
  { db }: Pick<Database, 'db'>,
  max = Infinity,
): AsyncGenerator<{ readonly table: string; readonly rows: readonly Row[] }> {
  for (const table of tablesWithObjects) {
    const key = sql.ref(objectKeys[table]);
    const start = Number.isFinite(max) ? randomBytes(startBytes).toString('base64url') : '';
    let last = start;
    let left = max;
    while (left > 0) {
      const { rows } = await sql`select * from ${sql.table(table)} where ${key} > ${last}
        order by ${key} limit ${Math.min(left, rowsPerRead)}`.execute(db);
      const parsed = v.parse(rowsSchema, rows);
      yield { table, rows: parsed };
      left -= parsed.length;
      if (parsed.length < rowsPerRead) {
        break;
      }
      last = String(parsed.at(-1)?.[objectKeys[table]]);
    }
    if (start !== '' && left > 0) {
      const { rows } = await sql`select * from ${sql.table(table)} where ${key} <= ${start}
        order by ${key} limit ${left}`.execute(db);
      yield { table, rows: v.parse(rowsSchema, rows) };
    }
  }
}

/** Returns a function that says whether any row names an object, also one that is about to get a row. */
export function createObjectFinder(db: Kysely<Tables>): (object: string) => Promise<boolean> {
  return async (object) =>
    (await hasRow(db, object)) ||
    (await db
      .selectFrom('loose_objects')
      .select('name')
      .where('name', '=', object)
      .executeTakeFirst()) !== undefined;
}
