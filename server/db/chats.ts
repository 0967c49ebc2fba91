/** The chats that somebody manages, and the ids that groups had before they became supergroups. */
import { type Kysely } from 'kysely';

import { moveChat, moveWhatIsHeard } from './chat-moves.ts';
import { type Tables } from './tables.ts';

export type StoredChat = {
  readonly chatId: number;
  /** Empty when unknown. */
  readonly name: string;
  /** Taken on trust, by a server without a bot. */
  readonly isDemo: boolean;
};

export function createChatRepository(db: Kysely<Tables>) {
  return {
    async find(chatId: number): Promise<StoredChat | undefined> {
      const row = await db
        .selectFrom('chats')
        .select(['chat_id', 'chat_name', 'is_demo'])
        .where('chat_id', '=', chatId)
        .executeTakeFirst();
      return row && toChat(row);
    },

    /** The chats a person manages, by name. */
    async listManagedBy(telegramId: number): Promise<readonly StoredChat[]> {
      const rows = await db
        .selectFrom('chats')
        .innerJoin('chat_managers', 'chat_managers.chat_id', 'chats.chat_id')
        .select(['chats.chat_id', 'chats.chat_name', 'chats.is_demo'])
        .where('chat_managers.telegram_id', '=', telegramId)
        .orderBy('chats.chat_name')
        .orderBy('chats.chat_id')
        .execute();
      return rows.map(toChat);
    },

    /** Adds a chat, or brings what is known of it up to date. */
    async save({ chatId, name, isDemo }: StoredChat, now: number): Promise<void> {
      const facts = { chat_name: name, is_demo: Number(isDemo) };
      await db
        .insertInto('chats')
        .values({ chat_id: chatId, ...facts, created_at: now })
        .onConflict((conflict) => conflict.column('chat_id').doUpdateSet(facts))
        .execute();
    },

    /**
     * Inside a transaction: makes others who change this chat's settings wait for its end. False when
     * there is no such chat.
     */
    async lock(chatId: number): Promise<boolean> {
      const row = await db
        .updateTable('chats')
        .set((eb) => ({ chat_name: eb.ref('chat_name') }))
        .where('chat_id', '=', chatId)
        .returning('chat_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The present id of a chat that may have been upgraded; any other id comes back unchanged. */
    async presentId(chatId: number): Promise<number> {
      const row = await db
        .selectFrom('chat_upgrades')
        .select('chat_id')
        .where('old_chat_id', '=', chatId)
        .executeTakeFirst();
      return row?.chat_id ?? chatId;
    },

    /**
     * Gives a chat and all that is stored of it the id it has as a supergroup, and remembers the old
     * one. Where the new id is already managed, what is stored there stays. May be repeated.
     */
    async upgrade(oldId: number, newId: number): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await tx
          .insertInto('chat_upgrades')
          .values({ old_chat_id: oldId, chat_id: newId })
          .onConflict((conflict) => conflict.column('old_chat_id').doUpdateSet({ chat_id: newId }))
          .execute();
        await tx
          .updateTable('chat_upgrades')
          .set({ chat_id: newId })
          .where('chat_id', '=', oldId)
          .execute();
        await moveChat(tx, oldId, newId);
        await moveWhatIsHeard(tx, oldId, newId);
      });
    },
  };
}

function toChat(row: Pick<Tables['chats'], 'chat_id' | 'chat_name' | 'is_demo'>): StoredChat {
  return { chatId: row.chat_id, name: row.chat_name, isDemo: row.is_demo === 1 };
}
