/** Stores names of models as users' devices report them, for models whose service does not name them. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

export function createModelNameRepository(db: Kysely<Tables>) {
  return {
    async find(modelId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('model_names')
        .select('name')
        .where('model_id', '=', modelId)
        .executeTakeFirst();
      return row?.name;
    },

    /** Stores names of unknown models. Returns how many were new. */
    async add(
      models: readonly { readonly modelId: string; readonly name: string }[],
      now: number,
    ): Promise<number> {
      if (models.length === 0) {
        return 0;
      }
      const rows = await db
        .insertInto('model_names')
        .values(models.map(({ modelId, name }) => ({ model_id: modelId, name, learned_at: now })))
        .onConflict((conflict) => conflict.column('model_id').doNothing())
        .returning('model_id')
        .execute();
      return rows.length;
    },

    async removeBefore(time: number): Promise<void> {
      await db.deleteFrom('model_names').where('learned_at', '<', time).execute();
    },
  };
}
