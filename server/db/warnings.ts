/** Stores the warnings of members. Times are epoch milliseconds. */
import { type Kysely } from 'kysely';

import { type Tables } from './tables.ts';

export type StoredWarning = {
  readonly id: string;
  readonly chatId: number;
  readonly telegramId: number;
  /** The administrator who gave it. */
  readonly byId: number;
  /** Empty without one. */
  readonly reason: string;
  readonly givenAt: number;
  /** Undefined when it counts until it is taken back. */
  readonly expiresAt: number | undefined;
};

type NewWarning = StoredWarning & {
  /** The update of Telegram that gave it; undefined when it was given otherwise. */
  readonly updateId: number | undefined;
};

export function createWarningRepository(db: Kysely<Tables>) {
  return {
    /** Returns false when the member was warned by this update already; then nothing is stored. */
    async add(warning: NewWarning): Promise<boolean> {
      const row = await db
        .insertInto('warnings')
        .values({
          id: warning.id,
          chat_id: warning.chatId,
          telegram_id: warning.telegramId,
          by_id: warning.byId,
          reason: warning.reason,
          given_at: warning.givenAt,
          expires_at: warning.expiresAt ?? null,
          ended_at: null,
          update_id: warning.updateId ?? null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The warnings of a member that count now, the oldest first. */
    async listOpen(
      chatId: number,
      telegramId: number,
      now: number,
    ): Promise<readonly StoredWarning[]> {
      const rows = await selectOpen(db, chatId, now)
        .where('telegram_id', '=', telegramId)
        .orderBy('given_at')
        .orderBy('id')
        .execute();
      return rows.map(toWarning);
    },

    /** The warnings of all members that count now, the newest first. */
    async listOpenInChat(
      chatId: number,
      now: number,
      limit: number,
    ): Promise<readonly StoredWarning[]> {
      const rows = await selectOpen(db, chatId, now)
        .orderBy('given_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toWarning);
    },

    /** Undefined also when it is one of another chat, or stored no more. Ended and expired ones are found. */
    async find(chatId: number, id: string): Promise<StoredWarning | undefined> {
      const row = await db
        .selectFrom('warnings')
        .selectAll()
        .where('id', '=', id)
        .where('chat_id', '=', chatId)
        .executeTakeFirst();
      return row && toWarning(row);
    },

    /** They count no longer. Returns the IDs of those that did until now, so that only one of two callers gets them. */
    end: (ids: readonly string[], now: number): Promise<readonly string[]> =>
      ids.length === 0 ? Promise.resolve([]) : endThem(updateOpen(db, now).where('id', 'in', ids)),

    /** Ends all that a member has. Returns as `end` does. */
    endAll: (chatId: number, telegramId: number, now: number): Promise<readonly string[]> =>
      endThem(
        updateOpen(db, now).where('chat_id', '=', chatId).where('telegram_id', '=', telegramId),
      ),

    /** The IDs of those of a member that ended at this very time. */
    async listEnded(
      chatId: number,
      telegramId: number,
      endedAt: number,
    ): Promise<readonly string[]> {
      const ended = await db
        .selectFrom('warnings')
        .select('id')
        .where('chat_id', '=', chatId)
        .where('telegram_id', '=', telegramId)
        .where('ended_at', '=', endedAt)
        .execute();
      return ended.map(({ id }) => id);
    },

    /** They count again, because what was to follow from them could not be done. */
    async reopen(ids: readonly string[]): Promise<void> {
      if (ids.length > 0) {
        await db.updateTable('warnings').set({ ended_at: null }).where('id', 'in', ids).execute();
      }
    },

    /** Removes those that ended, or expired, before a time. */
    async removeBefore(time: number): Promise<void> {
      // Two statements, as each has an index.
      for (const column of ['ended_at', 'expires_at'] as const) {
        await db.deleteFrom('warnings').where(column, '<', time).execute();
      }
    },
  };
}

/** Those that count now. */
const selectOpen = (db: Kysely<Tables>, chatId: number, now: number) =>
  db
    .selectFrom('warnings')
    .selectAll()
    .where('chat_id', '=', chatId)
    .where('ended_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]));

const updateOpen = (db: Kysely<Tables>, now: number) =>
  db
    .updateTable('warnings')
    .set({ ended_at: now })
    .where('ended_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]));

async function endThem(update: ReturnType<typeof updateOpen>): Promise<readonly string[]> {
  const rows = await update.returning('id').execute();
  return rows.map(({ id }) => id);
}

function toWarning(row: Tables['warnings']): StoredWarning {
  return {
    id: row.id,
    chatId: row.chat_id,
    telegramId: row.telegram_id,
    byId: row.by_id,
    reason: row.reason,
    givenAt: row.given_at,
    expiresAt: row.expires_at ?? undefined,
  };
}
