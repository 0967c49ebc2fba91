/** A migration that is a list of SQL statements, and which older code works with what it leaves. */
import { type Kysely, type Migration, sql } from 'kysely';

type Promises = {
  /** The oldest migration whose code works with the tables that this one leaves; itself when absent. */
  readonly oldestCode?: string;
  /** Set when it takes away what older code used: why, and since which release no code uses it. */
  readonly contract?: string;
};

export type TableMigration = Pick<Migration, 'up'> &
  Promises & { readonly statements: readonly string[] };

/** In order: a later statement needs an earlier one, and SQLite adds one column in a statement. */
export const inOrder = (
  statements: readonly string[],
  promises: Promises = {},
): TableMigration => ({
  ...promises,
  statements,
  up: async (db: Kysely<unknown>) => {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
});
