/** Stores the chats that are managed in Nori, and the IDs that groups had before they became supergroups. */
import { type Kysely, sql } from 'kysely';

import { type Tables } from './tables.ts';
import { rowsPerInsert } from './topics.ts';

export type StoredChat = {
  readonly chatId: number;
  /** Empty when unknown. */
  readonly name: string;
  /** Added on a server without a bot, which cannot ask Telegram for the owner. */
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

    /** Whether a chat is in Nori, and not only in a demo. */
    async isReal(chatId: number): Promise<boolean> {
      const row = await db
        .selectFrom('chats')
        .select('chat_id')
        .where('chat_id', '=', chatId)
        .where('is_demo', '=', 0)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The chats that a user manages, by name. */
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

    /** Adds a chat or updates it. */
    async save({ chatId, name, isDemo }: StoredChat, now: number): Promise<void> {
      const facts = { chat_name: name, is_demo: Number(isDemo) };
      await db
        .insertInto('chats')
        .values({ chat_id: chatId, ...facts, created_at: now })
        .onConflict((conflict) => conflict.column('chat_id').doUpdateSet(facts))
        .execute();
    },

    /**
     * Inside a transaction: makes a chat one that counts, without a manager, where its administrators change
     * something by a command. What was set for it in a demo goes, as no member of the chat has agreed to it.
     * Returns false when it was one already.
     */
    async makeReal(chatId: number, name: string, now: number): Promise<boolean> {
      const row = await db
        .insertInto('chats')
        .values({ chat_id: chatId, chat_name: name, is_demo: 0, created_at: now })
        .onConflict((conflict) =>
          conflict.column('chat_id').doUpdateSet({ is_demo: 0 }).where('chats.is_demo', '=', 1),
        )
        .returning('chat_id')
        .executeTakeFirst();
      if (row === undefined) {
        return false;
      }
      for (const table of ['chat_managers', 'topic_settings', 'chat_values'] as const) {
        await db.deleteFrom(table).where('chat_id', '=', chatId).execute();
      }
      return true;
    },

    /**
     * Inside a transaction: other changes of this chat's settings wait until it ends. Returns false
     * when there is no such chat.
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

    /** The current ID of a chat that may have been upgraded; any other ID is returned unchanged. */
    async currentId(chatId: number): Promise<number> {
      const row = await db
        .selectFrom('chat_upgrades')
        .select('chat_id')
        .where('old_chat_id', '=', chatId)
        .executeTakeFirst();
      return row?.chat_id ?? chatId;
    },

    /**
     * Moves a chat and everything stored for it to its ID as a supergroup, and remembers the old ID.
     * What is already stored under the new ID stays. May be repeated. `alsoSave` saves something with it.
     */
    async upgrade(
      oldId: number,
      newId: number,
      alsoSave?: (tx: Kysely<Tables>) => Promise<void>,
    ): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await rememberOldId(tx, oldId, newId);
        await moveChat(tx, oldId, newId);
        await moveBotRecords(tx, oldId, newId);
        await alsoSave?.(tx);
      });
    },
  };
}

async function rememberOldId(tx: Kysely<Tables>, oldId: number, newId: number): Promise<void> {
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
}

function toChat(row: Pick<Tables['chats'], 'chat_id' | 'chat_name' | 'is_demo'>): StoredChat {
  return { chatId: row.chat_id, name: row.chat_name, isDemo: row.is_demo === 1 };
}

/** Copies the rows to the new ID, parents first, then deletes the old chat. Needs a transaction, as all below. */
async function moveChat(tx: Kysely<Tables>, oldId: number, newId: number): Promise<void> {
  // An update instead of a select, so that this waits for changes of settings that are under way.
  const old = await tx
    .updateTable('chats')
    .set((eb) => ({ chat_name: eb.ref('chat_name') }))
    .where('chat_id', '=', oldId)
    .returningAll()
    .executeTakeFirst();
  if (old === undefined) {
    return;
  }
  await tx
    .insertInto('chats')
    .values({ ...old, chat_id: newId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

  for (const table of ['chat_managers', 'topics', 'topic_settings', 'chat_values'] as const) {
    // Settings refer to topics, so these come first.
    await moveRows(tx, table, { oldId, newId });
  }
  // Deleting the old chat would delete its history.
  await tx
    .updateTable('setting_changes')
    .set({ chat_id: newId })
    .where('chat_id', '=', oldId)
    .execute();
  await tx.deleteFrom('chats').where('chat_id', '=', oldId).execute();
}

/** Moves what the bot has stored, also for chats that are not managed in Nori. */
async function moveBotRecords(tx: Kysely<Tables>, oldId: number, newId: number): Promise<void> {
  await moveBotChat(tx, oldId, newId);
  await moveRows(tx, 'topic_names', { oldId, newId });
  await tx.deleteFrom('topic_names').where('chat_id', '=', oldId).execute();
  await moveCounts(tx, oldId, newId);
  // Message IDs start anew in a supergroup.
  for (const table of ['due_deletions', 'seen_messages', 'last_greetings'] as const) {
    await tx.deleteFrom(table).where('chat_id', '=', oldId).execute();
  }
  // Telegram reports joins, and lets bots mute, in supergroups alone.
  for (const table of ['join_checks', 'recent_joins'] as const) {
    await tx.deleteFrom(table).where('chat_id', '=', oldId).execute();
  }
  await tx.updateTable('contents').set({ chat_id: newId }).where('chat_id', '=', oldId).execute();
  await moveRows(tx, 'chat_numbers', { oldId, newId });
  await tx.deleteFrom('chat_numbers').where('chat_id', '=', oldId).execute();
  await moveMemberRecords(tx, oldId, newId);
  // The bot was in the group before, so the user who upgraded it has not added the bot.
  await tx.deleteFrom('due_hints').where('chat_id', 'in', [oldId, newId]).execute();
}

/** Moves what was done to members, and what is to be done. */
async function moveMemberRecords(tx: Kysely<Tables>, oldId: number, newId: number): Promise<void> {
  await moveRows(tx, 'approvals', { oldId, newId });
  await tx.deleteFrom('approvals').where('chat_id', '=', oldId).execute();
  // What one update gave is stored once.
  await tx
    .deleteFrom('warnings')
    .where('chat_id', '=', oldId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('warnings as moved')
          .select('moved.id')
          .where('moved.chat_id', '=', newId)
          .whereRef('moved.telegram_id', '=', 'warnings.telegram_id')
          .whereRef('moved.update_id', '=', 'warnings.update_id'),
      ),
    )
    .execute();
  // What waits for a press about a message would be done to another message.
  await tx
    .deleteFrom('due_jobs')
    .where('chat_id', '=', oldId)
    .where('kind', 'in', ['report', 'confirm'])
    .execute();
  for (const table of ['warnings', 'actions', 'due_jobs'] as const) {
    await tx.updateTable(table).set({ chat_id: newId }).where('chat_id', '=', oldId).execute();
  }
}

/** Keeps what is stored for the supergroup; only who added the bot, and its language, may come from the group. */
async function moveBotChat(tx: Kysely<Tables>, oldId: number, newId: number): Promise<void> {
  const old = await tx
    .selectFrom('bot_chats')
    .selectAll()
    .where('chat_id', '=', oldId)
    .executeTakeFirst();
  if (old === undefined) {
    return;
  }
  await tx
    .insertInto('bot_chats')
    .values({ ...old, chat_id: newId })
    .onConflict((conflict) =>
      conflict.column('chat_id').doUpdateSet({
        added_by: sql<number>`coalesce(bot_chats.added_by, excluded.added_by)`,
        added_at: sql<number>`coalesce(bot_chats.added_at, excluded.added_at)`,
        // It may have been chosen for the group, while the supergroup has that of the user who upgraded it.
        language: sql<string>`coalesce(excluded.language, bot_chats.language)`,
      }),
    )
    .execute();
  await tx.deleteFrom('bot_chats').where('chat_id', '=', oldId).execute();
}

async function moveCounts(tx: Kysely<Tables>, oldId: number, newId: number): Promise<void> {
  const counts = await tx
    .selectFrom('deletions')
    .selectAll()
    .where('chat_id', '=', oldId)
    .execute();
  for (let start = 0; start < counts.length; start += rowsPerInsert) {
    await tx
      .insertInto('deletions')
      .values(
        counts
          .slice(start, start + rowsPerInsert)
          .map((count) => Object.assign(count, { chat_id: newId })),
      )
      .onConflict((conflict) =>
        conflict.columns(['chat_id', 'name', 'hour']).doUpdateSet({
          total: sql<number>`deletions.total + excluded.total`,
          uncertain: sql<number>`deletions.uncertain + excluded.uncertain`,
        }),
      )
      .execute();
  }
  await tx.deleteFrom('deletions').where('chat_id', '=', oldId).execute();
}

async function moveRows(
  tx: Kysely<Tables>,
  table:
    | 'chat_managers'
    | 'topics'
    | 'topic_settings'
    | 'chat_values'
    | 'chat_numbers'
    | 'topic_names'
    | 'approvals',
  { oldId, newId }: { oldId: number; newId: number },
): Promise<void> {
  const rows = await tx.selectFrom(table).selectAll().where('chat_id', '=', oldId).execute();
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    await tx
      .insertInto(table)
      .values(
        rows
          .slice(start, start + rowsPerInsert)
          .map((row) => Object.assign(row, { chat_id: newId })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
