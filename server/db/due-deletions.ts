/** Messages that are to be deleted later. Times are epoch milliseconds. */
import { type Kysely, type Selectable } from 'kysely';

import { type Tables } from './tables.ts';

export type Deletion = {
  readonly chatId: number;
  readonly messageId: number;
  /** The setting it is deleted for; undefined for a message of the bot itself. */
  readonly setting: string | undefined;
  /** When Telegram does not delete it any more. */
  readonly giveUpAt: number;
};

export type DueDeletion = Deletion & {
  /** Set as long as it is unknown whether the sender is an administrator. */
  readonly senderId: number | undefined;
};

/** Both databases limit the values of a statement; a row has six. */
const rowsPerStatement = 1000;

export function createDueDeletionRepository(db: Kysely<Tables>) {
  return {
    /** Of two times for the same message the earlier one counts. */
    async add(deletions: readonly DueDeletion[], dueAt: number): Promise<void> {
      for (let start = 0; start < deletions.length; start += rowsPerStatement) {
        // In order: a connection runs one statement at a time.
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

    /** The longest overdue first. */
    async listDue(now: number, limit: number): Promise<readonly DueDeletion[]> {
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

    async readNextDueAt(): Promise<number | undefined> {
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

    async removeAll(messages: readonly Pick<DueDeletion, 'chatId' | 'messageId'>[]): Promise<void> {
      for (let start = 0; start < messages.length; start += rowsPerStatement) {
        const some = messages.slice(start, start + rowsPerStatement);
        // In order: a connection runs one statement at a time.
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
