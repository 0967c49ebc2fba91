/** Counts how often each feature was used, by day. */
import { type Kysely, sql } from 'kysely';

import { type Tables } from './tables.ts';

type Totals = { readonly name: string; readonly total: number; readonly today: number };

export function createUsageRepository(db: Kysely<Tables>) {
  return {
    /** Counts one use. `day` is the start of the day in epoch milliseconds. */
    async add(name: string, day: number): Promise<void> {
      await db
        .insertInto('usage')
        .values({ name, day, uses: 1 })
        .onConflict((conflict) =>
          conflict.columns(['name', 'day']).doUpdateSet({ uses: sql<number>`usage.uses + 1` }),
        )
        .execute();
    },

    /** The sum of all days and the count of the given day, by feature. */
    async totals(day: number): Promise<Totals[]> {
      return db
        .selectFrom('usage')
        .select(({ fn }) => [
          'name',
          fn.sum<number>('uses').as('total'),
          sql<number>`sum(case when day = ${day} then uses else 0 end)`.as('today'),
        ])
        .groupBy('name')
        .orderBy('total', 'desc')
        .orderBy('name')
        .execute();
    },
  };
}
