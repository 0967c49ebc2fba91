/** Who set what is in the history, for as long as that is kept; beside each setting it was kept without end. */
import { type Kysely, type Migration, sql } from 'kysely';

export const forgetWhoSet: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table topic_settings drop column updated_by`.execute(db);
  },
};
