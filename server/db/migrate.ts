/** Brings the tables up to date, once, also when several servers start at the same time. */
import { Migrator } from 'kysely';

import { type Database } from './client.ts';
import { migrations } from './migrations/index.ts';

/** Throws when a step fails; that step is then undone. */
export async function migrate({ db }: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw error;
  }
}
