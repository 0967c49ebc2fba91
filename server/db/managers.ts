/** Stores who manages which chat, and when Telegram last confirmed it. */
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
    /** The manager of a chat, which may be named by the ID that it had before an upgrade. */
    find: (givenId: number, telegramId: number) => findManager(db, { givenId, telegramId }),

    /** Adds a manager, or replaces an earlier verification. */
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

    /** Saves that Telegram confirmed the manager at `checkedAt`, unless the row has changed meanwhile. */
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

    /** Makes the next call of each manager ask Telegram again. */
    async forgetChecks(chatId: number): Promise<void> {
      await db
        .updateTable('chat_managers')
        .set({ checked_at: 0 })
        .where('chat_id', '=', chatId)
        .execute();
    },

    /**
     * Whether the user manages the chat, or is the owner whose code a manager entered. `marks` stand for an owner without
     * an account any more.
     */
    async isManagerOrOwner(
      chatId: number,
      telegramId: number,
      marks: readonly number[],
    ): Promise<boolean> {
      const owners = [telegramId, ...marks];
      const row = await db
        .selectFrom('chat_managers')
        .select('telegram_id')
        .where('chat_id', '=', chatId)
        .where((eb) => eb.or([eb('telegram_id', '=', telegramId), eb('owner_id', 'in', owners)]))
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Removes this verification; a newer one stays. */
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

async function findManager(
  db: Kysely<Tables>,
  { givenId, telegramId }: { readonly givenId: number; readonly telegramId: number },
): Promise<(Manager & { readonly isDemo: boolean }) | undefined> {
  const row = await db
    .selectFrom('chat_managers')
    .innerJoin('chats', 'chats.chat_id', 'chat_managers.chat_id')
    .selectAll('chat_managers')
    .select('chats.is_demo')
    .where('chat_managers.chat_id', '=', (eb) =>
      eb.fn.coalesce(
        eb
          .selectFrom('chat_upgrades')
          .select('chat_upgrades.chat_id')
          .where('old_chat_id', '=', givenId),
        eb.cast<number>(eb.val(givenId), 'bigint'),
      ),
    )
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
}
