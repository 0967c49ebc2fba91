/** Counts of used features, by day. */
import { type Kysely, type Migration, sql } from 'kysely';

export const countUsage: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql
      .raw(
        `create table usage (
          name text not null,
          day bigint not null,
          uses bigint not null,
          primary key (name, day)
        )`,
      )
      .execute(db);
  },
};
