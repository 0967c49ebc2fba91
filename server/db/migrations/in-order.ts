/** A migration that is a list of SQL statements. */
import { type Kysely, type Migration, sql } from 'kysely';

/** In order: a later statement needs an earlier one, and SQLite adds one column in a statement. */
export const inOrder = (statements: readonly string[]): Migration => ({
  up: async (db: Kysely<unknown>) => {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
});
