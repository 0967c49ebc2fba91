/** What is left of a deletion that did not go well: what is stored, what is said, and what happens later. */
import { type ChatEvent } from '#contract/endpoints/chat-activity';

import { chatId, type ModeratedChat } from './moderated-chat.ts';

/** Everything that is said about the chat from now on. */
export function listen({ server }: ModeratedChat): readonly ChatEvent['kind'][] {
  const kinds: ChatEvent['kind'][] = [];
  server.services.chatEvents.followAll(({ kind }) => kinds.push(kind));
  return kinds;
}

export async function placeOf({ server }: ModeratedChat) {
  return server.db
    .selectFrom('bot_chats')
    .select(['is_in', 'may_delete'])
    .where('chat_id', '=', chatId)
    .executeTakeFirst();
}

/** The bot was seen coming into the chat, with all rights. */
export async function seenBot({ server }: ModeratedChat): Promise<void> {
  await server.db
    .insertInto('bot_chats')
    .values({
      chat_id: chatId,
      chat_name: 'Otters',
      is_in: 1,
      may_delete: 1,
      is_forum: 1,
      added_by: null,
      added_at: null,
      updated_at: server.now(),
    })
    .execute();
}

/** Deletions that are written down. */
export const waitingRows = ({ server }: ModeratedChat) =>
  server.db.selectFrom('due_deletions').selectAll().execute();

export async function later(chat: ModeratedChat, ms: number): Promise<void> {
  chat.server.wait(ms);
  await chat.server.services.deletions.deleteDue();
}
