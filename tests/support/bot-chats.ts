/** Updates about chats: the bot's own place, service messages, and a managed chat. */
import { type ChatEvent } from '#contract/endpoints/chat-activity';
import { addChat, verifyChat } from '#contract/endpoints/chats';

import { signIn } from './chats.ts';
import { ada, type TestBot, groupId, startBot } from './test-bot.ts';

export const chat = { id: groupId, type: 'supergroup', title: 'Otters', is_forum: true };
export const botUser = {
  id: 123_456_789,
  is_bot: true,
  first_name: 'Nori',
  username: 'nori_test_bot',
};
export const owner = 111;

export const left = { status: 'left', user: botUser };
export const member = { status: 'member', user: botUser };
export const administrator = { status: 'administrator', user: botUser, can_delete_messages: true };

export const moved = (from: object, to: object, by: object = ada) => ({
  my_chat_member: { chat, from: by, date: 0, old_chat_member: from, new_chat_member: to },
});

export const service = (fields: object, inChat: object = chat) => ({
  message: { message_id: 7, date: 0, chat: inChat, from: ada, ...fields },
});

/** The events that pages with the chat receive from now on. */
export function collectEvents({ server }: TestBot, chatId = groupId): ChatEvent[] {
  const events: ChatEvent[] = [];
  server.services.chatEvents.follow(chatId, (event) => void events.push(event));
  return events;
}

export async function startManaged() {
  const bot = await startBot();
  bot.api.addChat({ id: groupId, title: 'Otters', creator: owner });
  const me = await signIn(bot.server, owner);
  await bot.server.call(addChat, { chat_id: groupId }, me);
  await bot.server.call(verifyChat, { chat_id: groupId, otp: bot.api.lastCode(owner) }, me);
  return { ...bot, me };
}

export const readBotPlace = ({ server }: TestBot, chatId = groupId) =>
  server.db.selectFrom('bot_chats').selectAll().where('chat_id', '=', chatId).executeTakeFirst();
