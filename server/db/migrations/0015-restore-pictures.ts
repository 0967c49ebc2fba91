/** When a picture was deleted: until it is removed for good it can be restored. */
import { type Kysely, type Migration, sql } from 'kysely';

export const restorePictures: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`alter table pictures add column deleted_at bigint`.execute(db);
    await sql`create index pictures_in_bin on pictures (deleted_at) where deleted_at is not null`.execute(
      db,
    );
  },
};
