/** Stores who is exempt from what is deleted automatically. Times are epoch milliseconds. */
import { type Kysely } from 'kysely';

import { memberRules } from '#server/lib/limits';

import { type Tables } from './tables.ts';

export type Approval = {
  readonly chatId: number;
  readonly telegramId: number;
  /** The administrator who approved. */
  readonly byId: number;
  readonly at: number;
  /** Undefined for good. */
  readonly until: number | undefined;
};

export function createApprovalRepository(db: Kysely<Tables>) {
  const selectValid = (chatId: number, now: number) =>
    db
      .selectFrom('approvals')
      .selectAll()
      .where('chat_id', '=', chatId)
      .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', now)]));

  return {
    /** Replaces an earlier approval of the same member. Returns false when the chat has as many others as it may. */
    async add({ chatId, telegramId, byId, at, until }: Approval): Promise<boolean> {
      const { total } = await db
        .selectFrom('approvals')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .where('chat_id', '=', chatId)
        .where('telegram_id', '!=', telegramId)
        .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', at)]))
        .executeTakeFirstOrThrow();
      if (total >= memberRules.maxApprovals) {
        return false;
      }
      const facts = { by_id: byId, at, until: until ?? null };
      await db
        .insertInto('approvals')
        .values({ chat_id: chatId, telegram_id: telegramId, ...facts })
        .onConflict((conflict) => conflict.columns(['chat_id', 'telegram_id']).doUpdateSet(facts))
        .execute();
      return true;
    },

    /** Returns whether there was one. */
    async remove(chatId: number, telegramId: number): Promise<boolean> {
      const row = await db
        .deleteFrom('approvals')
        .where('chat_id', '=', chatId)
        .where('telegram_id', '=', telegramId)
        .returning('telegram_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Undefined when it is over. */
    async find(chatId: number, telegramId: number, now: number): Promise<Approval | undefined> {
      const row = await selectValid(chatId, now)
        .where('telegram_id', '=', telegramId)
        .executeTakeFirst();
      return row && toApproval(row);
    },

    /** The newest first. */
    async list(chatId: number, now: number): Promise<readonly Approval[]> {
      const rows = await selectValid(chatId, now)
        .orderBy('at', 'desc')
        .orderBy('telegram_id')
        .execute();
      return rows.map(toApproval);
    },

    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('approvals').where('until', '<=', now).execute();
    },
  };
}

function toApproval(row: Tables['approvals']): Approval {
  return {
    chatId: row.chat_id,
    telegramId: row.telegram_id,
    byId: row.by_id,
    at: row.at,
    until: row.until ?? undefined,
  };
}
