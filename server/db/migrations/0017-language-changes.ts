/** A change of a chat's history may be one of the language that the bot writes there. */
import { type Kysely, type Migration, sql } from 'kysely';

const statements = [
  'alter table setting_changes add column language_was text',
  'alter table setting_changes add column language text',
] as const;

export const addLanguageChanges: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const statement of statements) {
      // SQLite adds one column in a statement.
      await sql.raw(statement).execute(db);
    }
  },
};
