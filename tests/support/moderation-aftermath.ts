/** The effects of a deletion that failed: what is stored, which events are published, and what happens later. */
import { type ChatEvent } from '#contract/endpoints/chat-activity';

import { chatId, type ModeratedChat } from './moderated-chat.ts';

/** The kinds of all events about the chat from now on. */
export function listen({ server }: ModeratedChat): readonly ChatEvent['kind'][] {
  const kinds: ChatEvent['kind'][] = [];
  server.services.chatEvents.followAll(({ kind }) => kinds.push(kind));
  return kinds;
}

export async function readBotPlace({ server }: ModeratedChat) {
  return server.db
    .selectFrom('bot_chats')
    .select(['is_in', 'may_delete'])
    .where('chat_id', '=', chatId)
    .executeTakeFirst();
}

/** Stores that the bot is in the chat with all rights. */
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

/** Deletions that are saved. */
export const waitingRows = ({ server }: ModeratedChat) =>
  server.db.selectFrom('due_deletions').selectAll().execute();

export async function later(chat: ModeratedChat, ms: number): Promise<void> {
  chat.server.wait(ms);
  await chat.server.services.deletions.deleteDue();
}
