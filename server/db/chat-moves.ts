/** Gives what is stored of a chat another id, table by table. Inside a transaction. */
import { type Kysely, sql } from 'kysely';

import { type Tables } from './tables.ts';
import { rowsPerInsert } from './topics.ts';

/** Copies row by row under the new id, parents first, then deletes the old chat with all it holds. */
export async function moveChat(tx: Kysely<Tables>, oldId: number, newId: number): Promise<void> {
  // Written to and not only read, so that changes of its settings that are under way are waited for.
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

  for (const table of ['chat_managers', 'topics', 'topic_settings'] as const) {
    // Settings refer to topics, so these come first.
    await moveRows(tx, table, { oldId, newId });
  }
  // Before the old chat goes, and its history with it.
  await tx
    .updateTable('setting_changes')
    .set({ chat_id: newId })
    .where('chat_id', '=', oldId)
    .execute();
  await tx.deleteFrom('chats').where('chat_id', '=', oldId).execute();
}

/** What the bot has heard and done, also where nobody manages the chat. */
export async function moveWhatIsHeard(
  tx: Kysely<Tables>,
  oldId: number,
  newId: number,
): Promise<void> {
  await moveBotChat(tx, oldId, newId);
  await moveRows(tx, 'topic_names', { oldId, newId });
  await tx.deleteFrom('topic_names').where('chat_id', '=', oldId).execute();
  await moveCounts(tx, oldId, newId);
  // Messages stay behind, and their numbers mean others in the supergroup.
  await tx.deleteFrom('due_deletions').where('chat_id', '=', oldId).execute();
}

/** What is known of the supergroup stays; who brought the bot is known from the group. */
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
        }),
      )
      .execute();
  }
  await tx.deleteFrom('deletions').where('chat_id', '=', oldId).execute();
}

async function moveRows(
  tx: Kysely<Tables>,
  table: 'chat_managers' | 'topics' | 'topic_settings' | 'topic_names',
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
