/** Messages that are to be deleted later. */
import { type Kysely, type Selectable } from 'kysely';

import { type Tables } from './tables.ts';

export type DueDeletion = {
  readonly chatId: number;
  readonly messageId: number;
  /** The setting it is deleted for; undefined for a message of the bot itself. */
  readonly setting: string | undefined;
  /** Who wrote it, as long as it is not known whether they are an administrator. */
  readonly senderId: number | undefined;
  /** Epoch milliseconds; it is not tried after this. */
  readonly giveUpAt: number;
};

/** Six values a row, far below what a statement takes. */
const rowsPerStatement = 1000;

export function createDueDeletionRepository(db: Kysely<Tables>) {
  return {
    /** Notes messages to delete at `dueAt`; one that is noted already is deleted at the earlier time. */
    async add(deletions: readonly DueDeletion[], dueAt: number): Promise<void> {
      for (let start = 0; start < deletions.length; start += rowsPerStatement) {
        // One connection has one statement at a time.
        await db
          .insertInto('due_deletions')
          .values(
            deletions.slice(start, start + rowsPerStatement).map((deletion) => ({
              chat_id: deletion.chatId,
              message_id: deletion.messageId,
              due_at: dueAt,
              setting: deletion.setting ?? null,
              sender_id: deletion.senderId ?? null,
              give_up_at: deletion.giveUpAt,
            })),
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
        .selectAll()
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .orderBy('chat_id')
        .orderBy('message_id')
        .limit(limit)
        .execute();
      return rows.map(toDeletion);
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
      if (messageIds.length === 0) {
        return;
      }
      await db
        .updateTable('due_deletions')
        .set({ due_at: dueAt })
        .where('chat_id', '=', chatId)
        .where('message_id', 'in', messageIds)
        .execute();
    },

    /** Removes messages of any chats. */
    async removeAll(messages: readonly Pick<DueDeletion, 'chatId' | 'messageId'>[]): Promise<void> {
      for (let start = 0; start < messages.length; start += rowsPerStatement) {
        const some = messages.slice(start, start + rowsPerStatement);
        // One connection has one statement at a time.
        await db
          .deleteFrom('due_deletions')
          .where((eb) =>
            eb(
              eb.refTuple('chat_id', 'message_id'),
              'in',
              some.map(({ chatId, messageId }) => eb.tuple(chatId, messageId)),
            ),
          )
          .execute();
      }
    },

    async remove(chatId: number, messageIds: readonly number[]): Promise<void> {
      if (messageIds.length === 0) {
        return;
      }
      await db
        .deleteFrom('due_deletions')
        .where('chat_id', '=', chatId)
        .where('message_id', 'in', messageIds)
        .execute();
    },
  };
}

function toDeletion(row: Selectable<Tables['due_deletions']>): DueDeletion {
  return {
    chatId: row.chat_id,
    messageId: row.message_id,
    setting: row.setting ?? undefined,
    senderId: row.sender_id ?? undefined,
    giveUpAt: row.give_up_at,
  };
}
