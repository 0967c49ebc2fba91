/** Removes the user from each setting, where it was stored without end. The history has it for 90 days. */
import { type Kysely, type Migration, sql } from 'kysely';

export const forgetWhoSet: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table topic_settings drop column updated_by`.execute(db);
  },
};
