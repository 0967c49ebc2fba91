/** Who manages which chat, and when Telegram was last asked whether they still may. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

export type Manager = {
  readonly chatId: number;
  readonly telegramId: number;
  /** The owner of the chat whose code was entered. */
  readonly ownerId: number;
  /** What the manager was in the chat when they entered it. */
  readonly role: Tables['chat_managers']['role'];
  readonly verifiedAt: number;
  /** When Telegram last confirmed owner and role; epoch milliseconds. */
  readonly checkedAt: number;
};

export function createManagerRepository(db: Kysely<Tables>) {
  return {
    /** The manager, and whether their chat was taken on trust. */
    async find(
      chatId: number,
      telegramId: number,
    ): Promise<(Manager & { readonly isDemo: boolean }) | undefined> {
      const row = await db
        .selectFrom('chat_managers')
        .innerJoin('chats', 'chats.chat_id', 'chat_managers.chat_id')
        .selectAll('chat_managers')
        .select('chats.is_demo')
        .where('chat_managers.chat_id', '=', chatId)
        .where('chat_managers.telegram_id', '=', telegramId)
        .executeTakeFirst();
      return (
        row && {
          chatId: row.chat_id,
          telegramId: row.telegram_id,
          ownerId: row.owner_id,
          role: row.role,
          verifiedAt: row.verified_at,
          checkedAt: row.checked_at,
          isDemo: row.is_demo === 1,
        }
      );
    },

    /** Adds a manager, or replaces what an earlier verification said. */
    async save(manager: Manager): Promise<void> {
      const facts = {
        owner_id: manager.ownerId,
        role: manager.role,
        verified_at: manager.verifiedAt,
        checked_at: manager.checkedAt,
      };
      await db
        .insertInto('chat_managers')
        .values({ chat_id: manager.chatId, telegram_id: manager.telegramId, ...facts })
        .onConflict((conflict) => conflict.columns(['chat_id', 'telegram_id']).doUpdateSet(facts))
        .execute();
    },

    /** Notes that Telegram confirmed this verification at `checkedAt`, unless it came into doubt meanwhile. */
    async markChecked(
      { chatId, telegramId, verifiedAt, checkedAt: before }: Manager,
      checkedAt: number,
    ): Promise<void> {
      await db
        .updateTable('chat_managers')
        .set({ checked_at: checkedAt })
        .where('chat_id', '=', chatId)
        .where('telegram_id', '=', telegramId)
        .where('verified_at', '=', verifiedAt)
        .where('checked_at', '=', before)
        .execute();
    },

    /** What Telegram last said about those who manage the chat holds no longer. */
    async forgetChecks(chatId: number): Promise<void> {
      await db
        .updateTable('chat_managers')
        .set({ checked_at: 0 })
        .where('chat_id', '=', chatId)
        .execute();
    },

    /** Whether the person manages the chat, or vouched for somebody who does. */
    async hasPartIn(chatId: number, telegramId: number): Promise<boolean> {
      const row = await db
        .selectFrom('chat_managers')
        .select('telegram_id')
        .where('chat_id', '=', chatId)
        .where((eb) => eb.or([eb('telegram_id', '=', telegramId), eb('owner_id', '=', telegramId)]))
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Ends this verification; one made meanwhile stays. */
    async remove({ chatId, telegramId, verifiedAt }: Manager): Promise<void> {
      await db
        .deleteFrom('chat_managers')
        .where('chat_id', '=', chatId)
        .where('telegram_id', '=', telegramId)
        .where('verified_at', '=', verifiedAt)
        .execute();
    },

    async removeAll(chatId: number): Promise<void> {
      await db.deleteFrom('chat_managers').where('chat_id', '=', chatId).execute();
    },
  };
}
