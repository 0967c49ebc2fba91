/** Stores what models are called that the server only knows by their ids: as people tell it, for want of better. */
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

    /** Stores names that are not known; of those that are, the first stays. Answers how many were new. */
    async learn(
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
