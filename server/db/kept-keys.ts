/** Stores the keys that stay when the key of the server is replaced. All are sealed. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

type KeptKey = Tables['kept_keys'];

export function createKeptKeyRepository(db: Kysely<Tables>) {
  return {
    /** The oldest first. */
    async list(): Promise<KeptKey[]> {
      return db
        .selectFrom('kept_keys')
        .selectAll()
        .orderBy('made_at')
        .orderBy('made_with')
        .execute();
    },

    /** Changes nothing when another process has added it. */
    async add(keys: readonly KeptKey[]): Promise<void> {
      await db
        .insertInto('kept_keys')
        .values([...keys])
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async replaceSeal(
      { purpose, made_with: madeWith, sealed }: KeptKey,
      fresh: string,
    ): Promise<void> {
      await db
        .updateTable('kept_keys')
        .set({ sealed: fresh })
        .where('purpose', '=', purpose)
        .where('made_with', '=', madeWith)
        .where('sealed', '=', sealed)
        .execute();
    },
  };
}
