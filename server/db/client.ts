/** Opens the database: SQLite in the data folder, or PostgreSQL when there is an address for it. */
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Pool, TypeOverrides } from 'pg';

import { lockDataFolder } from './lock.ts';
import { openSqlite } from './sqlite.ts';
import { type Tables } from './tables.ts';

export type Database = {
  readonly db: Kysely<Tables>;
  readonly engine: 'sqlite' | 'postgres';
  readonly close: () => Promise<void>;
};

type Location = {
  /** Folder of the SQLite file; absent means a database in memory. */
  readonly dataDir?: string | undefined;
  /** `postgres://…`; wins over the folder. */
  readonly url?: string | undefined;
};

/**
 * Throws `DataFolderInUse` when another server has the folder open. Inside `db.transaction()` use
 * only the transaction: SQLite has one connection, and `db` would wait for it for ever.
 */
export function openDatabase({ dataDir, url }: Location): Database {
  return url === undefined ? openLocal(dataDir) : openPostgres(url);
}

function openLocal(dataDir: string | undefined): Database {
  if (dataDir !== undefined) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  }
  const unlock = dataDir === undefined ? () => undefined : lockDataFolder(dataDir);
  const file = dataDir === undefined ? ':memory:' : join(dataDir, 'nori.db');
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: openSqlite(file) }) });
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

function openPostgres(connectionString: string): Database {
  // Ids have at most 52 bits and sums stay small, so that a number holds both exactly.
  const types = new TypeOverrides();
  types.setTypeParser(int8, Number);
  types.setTypeParser(numeric, Number);

  const pool = new Pool({ connectionString, max: 10, connectionTimeoutMillis: 5000, types });
  // Without a listener an idle connection that breaks would end the process; the pool replaces it.
  pool.on('error', () => undefined);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { db, engine: 'postgres', close: () => db.destroy() };
}
