/** How many messages were deleted for which setting, in buckets of an hour. */
import { type Kysely, type Selectable } from 'kysely';

import { type Tables } from './tables.ts';

export type DeletionCount = Selectable<Tables['deletions']>;

/** Setting name → number of messages. `atMost` includes messages that may have been gone before. */
type DeletionTotals = {
  readonly atMost: Readonly<Record<string, number>>;
  readonly exact: Readonly<Record<string, number>>;
};

/** Both databases limit the values of a statement; a row has five. */
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
                uncertain: eb('deletions.uncertain', '+', eb.ref('excluded.uncertain')),
              })),
            )
            .execute();
        }
      });
    },

    /** Messages deleted in the hours that began at `since` (epoch milliseconds) or later. */
    async totals(chatId: number, since: number): Promise<DeletionTotals> {
      const rows = await db
        .selectFrom('deletions')
        .select((eb) => [
          'name',
          eb.fn.sum<number>('total').as('total'),
          eb.fn.sum<number>('uncertain').as('uncertain'),
        ])
        .where('chat_id', '=', chatId)
        .where('hour', '>=', since)
        .groupBy('name')
        .orderBy('name')
        .execute();
      const toCounts = (count: (row: (typeof rows)[number]) => number) =>
        Object.fromEntries(
          rows.map((row) => [row.name, count(row)] as const).filter(([, total]) => total > 0),
        );
      return {
        atMost: toCounts(({ total }) => total),
        exact: toCounts(({ total, uncertain }) => total - uncertain),
      };
    },

    async removeBefore(time: number): Promise<void> {
      await db.deleteFrom('deletions').where('hour', '<', time).execute();
    },
  };
}
