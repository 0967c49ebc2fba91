/** Messages that are to be deleted later. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

export type DueDeletion = { readonly chatId: number; readonly messageId: number };

/** Three values a row, far below what a statement takes. */
const rowsPerStatement = 1000;

export function createDueDeletionRepository(db: Kysely<Tables>) {
  return {
    /** Notes messages to delete at `dueAt`; one that is noted already is deleted at the earlier time. */
    async add(chatId: number, messageIds: readonly number[], dueAt: number): Promise<void> {
      for (let start = 0; start < messageIds.length; start += rowsPerStatement) {
        // oxlint-disable-next-line no-await-in-loop
        await db
          .insertInto('due_deletions')
          .values(
            messageIds
              .slice(start, start + rowsPerStatement)
              .map((messageId) => ({ chat_id: chatId, message_id: messageId, due_at: dueAt })),
          )
          .onConflict((conflict) =>
            conflict
              .columns(['chat_id', 'message_id'])
              .doUpdateSet({ due_at: dueAt })
              .where('due_deletions.due_at', '>', dueAt),
          )
          .execute();
      }
    },

    /** Those whose time has come: the longest overdue first. */
    async due(now: number, limit: number): Promise<readonly DueDeletion[]> {
      const rows = await db
        .selectFrom('due_deletions')
        .select(['chat_id', 'message_id'])
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .orderBy('chat_id')
        .orderBy('message_id')
        .limit(limit)
        .execute();
      return rows.map(({ chat_id, message_id }) => ({ chatId: chat_id, messageId: message_id }));
    },

    /** When the next one is due, in epoch milliseconds. */
    async nextDueAt(): Promise<number | undefined> {
      const row = await db
        .selectFrom('due_deletions')
        .select('due_at')
        .orderBy('due_at')
        .limit(1)
        .executeTakeFirst();
      return row?.due_at;
    },

    async postpone(chatId: number, messageIds: readonly number[], dueAt: number): Promise<void> {
      await db
        .updateTable('due_deletions')
        .set({ due_at: dueAt })
        .where('chat_id', '=', chatId)
        .where('message_id', 'in', messageIds)
        .execute();
    },

    async remove(chatId: number, messageIds: readonly number[]): Promise<void> {
      await db
        .deleteFrom('due_deletions')
        .where('chat_id', '=', chatId)
        .where('message_id', 'in', messageIds)
        .execute();
    },
  };
}
