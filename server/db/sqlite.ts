/** Makes Node's own SQLite look the way Kysely expects a SQLite database to look. */
import { type SqliteDatabase } from 'kysely';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import * as v from 'valibot';

/** Every commit reaches the disk before it is acknowledged (`synchronous`), also when power fails. */
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

export function openSqlite(file: string): SqliteDatabase {
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
        // Rows come without a prototype; a copy is an ordinary object.
        all: (values) =>
          statement.all(...v.parse(sqlValues, values)).map((row) => Object.assign({}, row)),
        run: (values) => statement.run(...v.parse(sqlValues, values)),
        iterate: (values) => statement.iterate(...v.parse(sqlValues, values)),
      };
    },
  };
}
