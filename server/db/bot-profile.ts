/** Stores what Telegram was told about a bot, so that a restart says nothing again. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

export function createBotProfileRepository(db: Kysely<Tables>, botId: number) {
  return {
    /** Part → fingerprint of what was said last. */
    async readAll(): Promise<ReadonlyMap<string, string>> {
      const rows = await db
        .selectFrom('bot_profile')
        .select(['part', 'fingerprint'])
        .where('bot_id', '=', botId)
        .execute();
      return new Map(rows.map(({ part, fingerprint }) => [part, fingerprint]));
    },

    async save(part: string, fingerprint: string): Promise<void> {
      await db
        .insertInto('bot_profile')
        .values({ bot_id: botId, part, fingerprint })
        .onConflict((conflict) => conflict.columns(['bot_id', 'part']).doUpdateSet({ fingerprint }))
        .execute();
    },
  };
}
