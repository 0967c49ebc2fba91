/** Stores names of models as a user's devices report them, for models whose service does not name them. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

export function createModelNameRepository(db: Kysely<Tables>) {
  return {
    async find(telegramId: number, modelId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('model_names')
        .select('name')
        .where('telegram_id', '=', telegramId)
        .where('model_id', '=', modelId)
        .executeTakeFirst();
      return row?.name;
    },

    /** Stores names of models that the user has not named. Returns how many were new. */
    async add(
      telegramId: number,
      models: readonly { readonly modelId: string; readonly name: string }[],
      now: number,
    ): Promise<number> {
      if (models.length === 0) {
        return 0;
      }
      const rows = await db
        .insertInto('model_names')
        .values(
          models.map(({ modelId, name }) => ({
            telegram_id: telegramId,
            model_id: modelId,
            name,
            learned_at: now,
          })),
        )
        .onConflict((conflict) => conflict.columns(['telegram_id', 'model_id']).doNothing())
        .returning('model_id')
        .execute();
      return rows.length;
    },

    async removeBefore(time: number): Promise<void> {
      await db.deleteFrom('model_names').where('learned_at', '<', time).execute();
    },
  };
}
