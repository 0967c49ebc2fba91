/** How many messages were deleted for which setting, in buckets of an hour. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

export type DeletionCount = Tables['deletions'];

/** Both databases limit the values of a statement; a row has four. */
const rowsPerStatement = 1000;

export function createDeletionRepository(db: Kysely<Tables>) {
  return {
    /** Adds to the stored totals, in one transaction. */
    async add(counts: readonly DeletionCount[]): Promise<void> {
      await db.transaction().execute(async (tx) => {
        for (let start = 0; start < counts.length; start += rowsPerStatement) {
          // In order: a connection runs one statement at a time.
          await tx
            .insertInto('deletions')
            .values(counts.slice(start, start + rowsPerStatement))
            .onConflict((conflict) =>
              conflict.columns(['chat_id', 'name', 'hour']).doUpdateSet((eb) => ({
                total: eb('deletions.total', '+', eb.ref('excluded.total')),
              })),
            )
            .execute();
        }
      });
    },

    /** Setting name → messages deleted in the hours that began at `since` (epoch milliseconds) or later. */
    async totals(chatId: number, since: number): Promise<Readonly<Record<string, number>>> {
      const rows = await db
        .selectFrom('deletions')
        .select((eb) => ['name', eb.fn.sum<number>('total').as('total')])
        .where('chat_id', '=', chatId)
        .where('hour', '>=', since)
        .groupBy('name')
        .orderBy('name')
        .execute();
      return Object.fromEntries(
        rows.filter(({ total }) => total > 0).map(({ name, total }) => [name, total]),
      );
    },

    async removeBefore(time: number): Promise<void> {
      await db.deleteFrom('deletions').where('hour', '<', time).execute();
    },
  };
}
