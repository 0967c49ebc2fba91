/** Finds the chats that share their bans with another, by their community and their owner. */
import { type Kysely } from 'kysely';

import { wholeChatId } from './chat-values.ts';
import { type Tables } from './tables.ts';

/** Communities and owners have fewer chats. */
const maxChats = 200;

/**
 * The other chats of the same community or owner in which sharing is switched on; none where it is off in the chat itself.
 */
export async function listSharingChats(
  db: Kysely<Tables>,
  chatId: number,
): Promise<readonly number[]> {
  const sharing = db
    .selectFrom('chat_values')
    .select('chat_values.chat_id')
    .where('chat_values.topic_id', '=', wholeChatId)
    .where('chat_values.name', '=', 'shared_bans')
    .where('chat_values.value', '=', 'true');
  const isSharing = await sharing.where('chat_values.chat_id', '=', chatId).executeTakeFirst();
  if (isSharing === undefined) {
    return [];
  }
  const related = await db
    .selectFrom('bot_chats as here')
    .innerJoin('bot_chats as other', 'other.community_id', 'here.community_id')
    .select('other.chat_id')
    .where('here.chat_id', '=', chatId)
    .where('other.is_in', '=', 1)
    .union(
      db
        .selectFrom('chat_managers as here')
        .innerJoin('chat_managers as other', 'other.owner_id', 'here.owner_id')
        .innerJoin('bot_chats', 'bot_chats.chat_id', 'other.chat_id')
        .select('other.chat_id')
        .where('here.chat_id', '=', chatId)
        .where('bot_chats.is_in', '=', 1),
    )
    .limit(maxChats)
    .execute();
  const others = related.map(({ chat_id }) => chat_id).filter((id) => id !== chatId);
  if (others.length === 0) {
    return [];
  }
  const rows = await sharing.where('chat_values.chat_id', 'in', others).execute();
  return rows.map(({ chat_id }) => chat_id);
}

/** The chats in which a person is banned because they were banned in this one. */
export async function listFollowers(
  db: Kysely<Tables>,
  chatId: number,
  targetId: number,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('actions as origin')
    .innerJoin('actions as shared', 'shared.shared_from', 'origin.id')
    .select('shared.chat_id')
    .distinct()
    .where('origin.chat_id', '=', chatId)
    .where('origin.target_id', '=', targetId)
    .where('shared.kind', '=', 'ban')
    .where('shared.undone_at', 'is', null)
    .limit(maxChats)
    .execute();
  return rows.map(({ chat_id }) => chat_id);
}

/** Saves in which community of Telegram a chat is; null for none. */
export async function saveCommunity(
  db: Kysely<Tables>,
  chatId: number,
  communityId: number | null,
): Promise<void> {
  await db
    .updateTable('bot_chats')
    .set({ community_id: communityId })
    .where('chat_id', '=', chatId)
    .execute();
}
