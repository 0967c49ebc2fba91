/** Opens the database, SQLite in the data folder or PostgreSQL, and migrates its tables. */
import {
  Kysely,
  type LogEvent,
  type Logger,
  type Migration,
  Migrator,
  PostgresDialect,
  SqliteDialect,
  type SqliteDatabase,
} from 'kysely';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Pool, TypeOverrides } from 'pg';
import * as v from 'valibot';

import { createTables } from './migrations/0001-create-tables.ts';
import { countUsage } from './migrations/0002-count-usage.ts';
import { createGenerationJobs } from './migrations/0003-generation-jobs.ts';
import { keepPictures } from './migrations/0004-keep-pictures.ts';
import { connectServices } from './migrations/0005-connect-services.ts';
import { severalPictures } from './migrations/0006-several-pictures.ts';
import { watchChats } from './migrations/0007-watch-chats.ts';
import { forgetWhoSet } from './migrations/0008-forget-who-set.ts';
import { noteArrivals } from './migrations/0009-note-arrivals.ts';
import { type Tables } from './tables.ts';

/** In their order. A released migration never changes: add the next one. */
export const migrations: Record<string, Migration> = {
  '0001-create-tables': createTables,
  '0002-count-usage': countUsage,
  '0003-generation-jobs': createGenerationJobs,
  '0004-keep-pictures': keepPictures,
  '0005-connect-services': connectServices,
  '0006-several-pictures': severalPictures,
  '0007-watch-chats': watchChats,
  '0008-forget-who-set': forgetWhoSet,
  '0009-note-arrivals': noteArrivals,
};

export type Database = {
  readonly db: Kysely<Tables>;
  readonly engine: 'sqlite' | 'postgres';
  readonly close: () => Promise<void>;
};

type Options = {
  /** Folder of the SQLite file; without it the database is in memory. */
  readonly dataDir?: string | undefined;
  /** `postgres://…`; used instead of the folder. */
  readonly url?: string | undefined;
  /** Called with the SQL of each statement, `begin` and `commit` included. */
  readonly onStatement?: ((sql: string) => void) | undefined;
};

/**
 * Throws `DataFolderInUse` when another server uses the folder. Inside `db.transaction()` use only the
 * transaction: SQLite has one connection, and a statement on `db` would wait for it forever.
 */
export function openDatabase({ dataDir, url, onStatement }: Options): Database {
  const log = (event: LogEvent) => {
    if (event.level === 'query') {
      onStatement?.(event.query.sql);
    }
  };
  return url === undefined ? openLocal(dataDir, log) : openPostgres(url, log);
}

function openLocal(dataDir: string | undefined, log: Logger): Database {
  if (dataDir !== undefined) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  }
  const unlock = dataDir === undefined ? () => undefined : lockDataFolder(dataDir);
  const file = dataDir === undefined ? ':memory:' : join(dataDir, 'nori.db');
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: openSqlite(file) }),
    log,
  });
  return {
    db,
    engine: 'sqlite',
    close: async () => {
      await db.destroy();
      unlock();
    },
  };
}

const int8 = 20;
const numeric = 1700;

function openPostgres(connectionString: string, log: Logger): Database {
  // IDs have at most 52 bits and sums stay small: a number holds both exactly.
  const types = new TypeOverrides();
  types.setTypeParser(int8, Number);
  types.setTypeParser(numeric, Number);

  const pool = new Pool({ connectionString, max: 10, connectionTimeoutMillis: 5000, types });
  // Without a listener, a broken idle connection would end the process. The pool replaces it.
  pool.on('error', () => undefined);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), log });
  return { db, engine: 'postgres', close: () => db.destroy() };
}

/**
 * Brings the tables up to date, also when several servers start at the same time. Throws when a
 * migration fails; that one is then rolled back.
 */
export async function migrate({ db }: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw error;
  }
}

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
  const lock = new DatabaseSync(join(dataDir, 'app.lock'));
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

/** `synchronous = full`: a commit is on the disk before it is acknowledged, so that a power cut loses none. */
const pragmas = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma busy_timeout = 5000;
  pragma trusted_schema = off;
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
function openSqlite(file: string): SqliteDatabase {
  const handle = new DatabaseSync(file);
  handle.exec(pragmas);

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
