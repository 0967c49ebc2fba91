/** How many messages were deleted for which setting, in buckets of an hour. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

export function createDeletionRepository(db: Kysely<Tables>) {
  return {
    /** Setting name → messages deleted in the hours that began at `since` or later. */
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
