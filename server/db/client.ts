/** Opens the database, SQLite in the data folder or PostgreSQL, and migrates its tables. */
import {
  Kysely,
  type LogEvent,
  type Logger,
  type Migration,
  Migrator,
  PostgresDialect,
  SqliteDialect,
  sql,
  type SqliteDatabase,
} from 'kysely';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Pool, type PoolConfig, TypeOverrides } from 'pg';
import * as v from 'valibot';

import { noteStatement } from '#server/lib/telemetry';

import {
  connectServices,
  countUsage,
  createGenerationJobs,
  createTables,
  forgetWhoSet,
  keepPictures,
  noteArrivals,
  severalPictures,
  watchChats,
} from './migrations/0001-0009.ts';
import {
  addBotInbox,
  addDueHints,
  addLanguageChanges,
  addLanguages,
  addTrust,
  countPictureBytes,
  indexReferences,
  moderateMembers,
  numberLeases,
  restorePictures,
} from './migrations/0010-0029.ts';
import {
  addNewcomersAndContents,
  addGenerationTimes,
  addPictureSources,
  addPersonalRecords,
  addSeveralMachines,
  addTelegramPhotos,
} from './migrations/0010-0029.ts';
import { type TableMigration } from './migrations/in-order.ts';
import {
  createLocalNotifications,
  createPostgresNotifications,
  type Notifications,
} from './notifications.ts';
import { type Tables } from './tables.ts';

/** In their order. A released migration never changes: add the next one. */
export const migrations: Readonly<Record<string, TableMigration>> = {
  '0001-create-tables': createTables,
  '0002-count-usage': countUsage,
  '0003-generation-jobs': createGenerationJobs,
  '0004-keep-pictures': keepPictures,
  '0005-connect-services': connectServices,
  '0006-several-pictures': severalPictures,
  '0007-watch-chats': watchChats,
  '0008-forget-who-set': forgetWhoSet,
  '0009-note-arrivals': noteArrivals,
  '0010-number-leases': numberLeases,
  '0011-index-references': indexReferences,
  '0012-bot-inbox': addBotInbox,
  '0013-count-picture-bytes': countPictureBytes,
  '0014-due-hints': addDueHints,
  '0015-restore-pictures': restorePictures,
  '0016-languages': addLanguages,
  '0017-language-changes': addLanguageChanges,
  '0018-moderate-members': moderateMembers,
  '0019-trust': addTrust,
  '0020-several-machines': addSeveralMachines,
  '0021-newcomers-and-contents': addNewcomersAndContents,
  '0022-personal-records': addPersonalRecords,
  '0023-generation-times': addGenerationTimes,
  '0024-picture-sources': addPictureSources,
  '0025-telegram-photos': addTelegramPhotos,
};

export type Database = {
  readonly db: Kysely<Tables>;
  readonly engine: 'sqlite' | 'postgres';
  /** Resolves when the database answers, also while all connections of `db` are taken. */
  readonly ping: () => Promise<void>;
  /** Wakes the processes that share the database. */
  readonly notifications: Notifications;
  /** How many connections the pool has open, how many of them are unused, and how many calls wait for one. */
  readonly connections?: () => Readonly<Record<'total' | 'idle' | 'waiting', number>>;
  readonly close: () => Promise<void>;
};

const ownerOnly = 0o600;

type Options = {
  /** Folder of the SQLite file; without it the database is in memory. */
  readonly dataDir?: string | undefined;
  /** `postgres://…`; used instead of the folder. */
  readonly url?: string | undefined;
  /** The same past a connection pooler; `url` when absent. */
  readonly directUrl?: string | undefined;
  /** How many connections to PostgreSQL are open at most, besides that of `ping`. Default 10. */
  readonly connections?: number;
  /** Called with the SQL of each statement, `begin` and `commit` included. */
  readonly onStatement?: ((sql: string) => void) | undefined;
  /** Of a data folder: reads beside a server that uses it. */
  readonly isReadOnly?: boolean;
};

/**
 * Throws `DataFolderInUse` when another server uses the folder. Inside `db.transaction()` use only the
 * transaction: SQLite has one connection, and a statement on `db` would wait for it forever.
 */
export function openDatabase(options: Options): Database {
  const { url, onStatement } = options;
  const log = (event: LogEvent) => {
    noteStatement(event.query.sql, event.queryDurationMillis, event.level === 'error');
    if (event.level === 'query') {
      onStatement?.(event.query.sql);
    }
  };
  return url === undefined ? openLocal(options, log) : openPostgres(url, options, log);
}

/** Files that SQLite adds to a database; it gives new ones the permissions of the database. */
const companions = ['-wal', '-shm', '-journal'];

/**
 * Makes the file of a database if there is none, and lets only its owner read it: the data folder may be one that
 * others can open, and files of earlier versions could be read by all.
 */
function hideFromOthers(file: string): void {
  // An existing file is not opened: closing it would give up the locks that this process has on it.
  if (!existsSync(file)) {
    closeSync(openSync(file, 'a', ownerOnly));
  }
  for (const ending of ['', ...companions]) {
    try {
      chmodSync(file + ending, ownerOnly);
    } catch {
      // It does not exist, or belongs to another user, who has decided.
    }
  }
}

function openLocal({ dataDir, isReadOnly = false }: Options, log: Logger): Database {
  const isOwn = dataDir !== undefined && !isReadOnly;
  if (isOwn) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  }
  const unlock = isOwn ? lockDataFolder(dataDir) : () => undefined;
  const file = dataDir === undefined ? ':memory:' : join(dataDir, 'nori.db');
  if (isOwn) {
    hideFromOthers(file);
  }
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: openSqlite(file, isReadOnly) }),
    log,
  });
  return {
    db,
    engine: 'sqlite',
    ping: async () => void (await sql`select 1`.execute(db)),
    notifications: createLocalNotifications(),
    close: async () => {
      await db.destroy();
      unlock();
    },
  };
}

const defaultConnections = 10;
const int8 = 20;
const numeric = 1700;

function openPostgres(
  connectionString: string,
  { directUrl = connectionString, connections = defaultConnections }: Options,
  log: Logger,
): Database {
  // IDs have at most 52 bits and sums stay small: a number holds both exactly.
  const types = new TypeOverrides();
  types.setTypeParser(int8, Number);
  types.setTypeParser(numeric, Number);

  const pool = openPool({
    ...callTimeouts,
    connectionString,
    max: connections,
    types,
  });
  // One that is never closed for being unused: when PostgreSQL has none left, this one still answers.
  const pingPool = openPool({
    ...pingTimeouts,
    connectionString,
    max: 1,
    idleTimeoutMillis: 0,
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), log });
  const notifications = createPostgresNotifications(directUrl, (channel) =>
    pool.query('select pg_notify($1, $2)', ['nori', channel]),
  );
  return {
    db,
    engine: 'postgres',
    ping: async () => void (await pingPool.query('select 1')),
    notifications,
    connections: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: async () => {
      await notifications.close();
      await Promise.all([db.destroy(), pingPool.end()]);
    },
  };
}

/**
 * Without these limits one locked row would take every connection. A lock is waited for only briefly:
 * the caller is told to repeat the call.
 */
const callTimeouts = {
  connectionTimeoutMillis: 5000,
  lock_timeout: 2000,
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 15_000,
} as const;

/** One by this process, too: a PostgreSQL that stands still does not end a statement. */
const pingTimeouts = { connectionTimeoutMillis: 2000, query_timeout: 2000 } as const;

const ignore = () => undefined;

function openPool(config: PoolConfig): Pool {
  const pool = new Pool({ ...config, keepAlive: true });
  // A connection may break at any time, also between two statements of a transaction. Without these
  // listeners that would end the process. The next statement fails, and the pool replaces the connection.
  pool.on('error', ignore);
  pool.on('connect', (client) => void client.on('error', ignore));
  return pool;
}

/** Which migrations have run, and what they say about older code. */
export type Schema = {
  readonly executed: readonly string[];
  /** Those that this code does not know: they are of a newer version. */
  readonly newer: readonly string[];
  /** Those of the newer ones that leave tables with which this code does not work. */
  readonly refusing: readonly string[];
  /** Known to this code, and yet to run. */
  readonly pending: readonly string[];
  readonly isRestoring: boolean;
};

/** A restore makes this table first and drops it last. */
export const unfinishedRestore = 'unfinished_restore';

export async function readSchema(db: Kysely<Tables>): Promise<Schema> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const names = new Set(tables.map(({ name }) => name));
  const executed = names.has('kysely_migration')
    ? await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
    : { rows: [] };
  const versions = names.has('schema_versions')
    ? await db.selectFrom('schema_versions').selectAll().execute()
    : [];
  const oldest = new Map(versions.map(({ name, oldest_code: code }) => [name, code]));
  const known = Object.keys(migrations);
  const all = executed.rows.map(({ name }) => name);
  const newer = all.filter((name) => !known.includes(name));
  const newestKnown = known.at(-1) ?? '';
  return {
    executed: all,
    newer,
    refusing: newer.filter((name) => (oldest.get(name) ?? name) > newestKnown),
    pending: known.filter((name) => !all.includes(name)),
    isRestoring: names.has(unfinishedRestore),
  };
}

/** The message is for the operator. */
export class SchemaMistake extends Error {
  override readonly name = 'SchemaMistake';
}

type Migrating = {
  /** Runs no later migration than this. */
  readonly to?: string;
  /** Set by the restore, whose tables are of no use to others before it has ended. */
  readonly isRestore?: boolean;
};

/**
 * Brings the tables up to date, also when several servers start at the same time, and returns the names of the migrations
 * that this call has run. Leaves tables of a newer version as they are, if this code works with them. Throws when it does not
 * (`SchemaMistake`), and when a migration fails; then none of this call has run.
 */
export async function migrate(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  options: Migrating = {},
): Promise<readonly string[]> {
  const before = await readSchema(db);
  if (before.isRestoring && options.isRestore !== true) {
    throw new SchemaMistake(
      'a restore into it has not ended. Run the same `nori restore` again, which goes on with it',
    );
  }
  if (isOfNewerVersion(before)) {
    return [];
  }
  const run = (connection: Kysely<Tables>) => runMigrations(connection, options.to);
  const execute = engine === 'sqlite' ? inOneTransaction(run) : withoutTimeouts(run);
  try {
    return await db.connection().execute(execute);
  } catch (error) {
    // A server of a newer version may have run its migrations while this one waited for its turn.
    if (isOfNewerVersion(await readSchema(db))) {
      return [];
    }
    throw error;
  }
}

/** Throws when this code does not work with it. */
function isOfNewerVersion({ newer, refusing }: Schema): boolean {
  const [first] = refusing;
  if (first !== undefined) {
    throw new SchemaMistake(
      `its tables are those of a newer version of Nori: this version does not work with them since the migration ${first}. ` +
        'Start a version that knows this migration, or restore a backup from before it',
    );
  }
  return newer.length > 0;
}

type Run = (connection: Kysely<Tables>) => Promise<readonly string[]>;

/** A migration may take long, and so may waiting for that of another server. */
const withoutTimeouts =
  (run: Run): Run =>
  async (connection) => {
    await sql`set lock_timeout = 0; set statement_timeout = 0`.execute(connection);
    try {
      return await run(connection);
    } finally {
      await sql`reset lock_timeout; reset statement_timeout`.execute(connection);
    }
  };

/** The migrator itself begins one on PostgreSQL only: half a migration could neither be used nor repeated. */
const inOneTransaction =
  (run: Run): Run =>
  async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      const ran = await run(connection);
      await sql`commit`.execute(connection);
      return ran;
    } catch (error) {
      await sql`rollback`.execute(connection);
      throw error;
    }
  };

async function runMigrations(db: Kysely<Tables>, to?: string): Promise<readonly string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => notingMigrations } });
  const { error, results = [] } = await (to === undefined
    ? migrator.migrateToLatest()
    : migrator.migrateTo(to));
  if (error !== undefined) {
    throw error;
  }
  return results.map(({ migrationName }) => migrationName);
}

/** The first that has a table for it. */
const firstNoted = '0020-several-machines';

/** Each also writes which older code works with what it leaves. */
const notingMigrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  Object.entries(migrations).map(([name, { up, oldestCode = name }]) => [
    name,
    {
      up: async (db) => {
        await up(db);
        if (name >= firstNoted) {
          await sql`insert into schema_versions (name, oldest_code) values (${name}, ${oldestCode})`.execute(
            db,
          );
        }
      },
    },
  ]),
);

export class DataFolderInUse extends Error {
  constructor(dataDir: string) {
    super(
      `Another Nori server is already using the data folder ${dataDir}. Stop it first, or set NORI_DATA_DIR to another folder.`,
    );
    this.name = 'DataFolderInUse';
  }
}

/**
 * Locks the folder until the returned function is called or the process ends. The kernel holds the
 * lock, on a database file of its own, so that it never outlives the process.
 */
function lockDataFolder(dataDir: string): () => void {
  const file = join(dataDir, 'app.lock');
  hideFromOthers(file);
  const lock = new DatabaseSync(file);
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    lock.close();
    throw error instanceof Error && error.message.includes('locked')
      ? new DataFolderInUse(dataDir)
      : error;
  }
  return () => lock.close();
}

/**
 * `synchronous = full`: a commit is on the disk before it is acknowledged, so that a power cut loses none.
 * `secure_delete`: what is deleted, such as the content of messages, is overwritten in the file. (`fast` would
 * spare the pages of long texts.)
 */
const pragmas = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma busy_timeout = 5000;
  pragma trusted_schema = off;
  pragma secure_delete = on;
`;
const maxPrepared = 500;

const sqlValues = v.array(
  v.custom<SQLInputValue>(
    (value) =>
      value === null ||
      ['string', 'number', 'bigint'].includes(typeof value) ||
      ArrayBuffer.isView(value),
    'A value has no SQLite type',
  ),
);

/** Gives Node's own SQLite the interface that Kysely expects. */
function openSqlite(file: string, readOnly: boolean): SqliteDatabase {
  const handle = new DatabaseSync(file, { readOnly });
  handle.exec(readOnly ? 'pragma busy_timeout = 5000' : pragmas);

  const prepared = new Map<string, { statement: StatementSync; reader: boolean }>();
  const prepare = (text: string) => {
    const known = prepared.get(text);
    if (known) {
      return known;
    }
    if (prepared.size >= maxPrepared) {
      prepared.clear();
    }
    const statement = handle.prepare(text);
    const fresh = { statement, reader: statement.columns().length > 0 };
    prepared.set(text, fresh);
    return fresh;
  };

  return {
    close: () => {
      prepared.clear();
      handle.close();
    },
    prepare: (text) => {
      const { statement, reader } = prepare(text);
      return {
        reader,
        // Rows have no prototype; a copy is an ordinary object.
        all: (values) =>
          statement.all(...v.parse(sqlValues, values)).map((row) => Object.assign({}, row)),
        run: (values) => statement.run(...v.parse(sqlValues, values)),
        iterate: (values) => statement.iterate(...v.parse(sqlValues, values)),
      };
    },
  };
}
