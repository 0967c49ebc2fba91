/** A server whose bot reads what people write and what happens to chats, through a Bot API stand-in. */
import { onTestFinished } from 'vitest';

import { type ChatEvent } from '#contract/endpoints/chat-activity';
import { addChat, verifyChat } from '#contract/endpoints/chats';

import { type BotApi, startBotApi } from './bot-api-server.ts';
import { writtenMessage } from './bot-api-world.ts';
import { signIn } from './chats.ts';
import { createTestServer, type TestServer } from './test-server.ts';

type Writing = {
  /** A group when it is negative. The writer's own private chat when absent. */
  readonly chatId?: number;
  readonly from?: number;
  /** In a topic of a forum. */
  readonly topicId?: number | undefined;
  /** Further fields of the message. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
};

export type TestBot = {
  readonly api: BotApi;
  readonly server: TestServer;
  /** Sends a message to the bot. Resolves with the id of the message when the bot has handled it. */
  readonly writes: (text: string, writing?: Writing) => Promise<number>;
  /** Sends an update to the bot. Resolves when the bot has handled it. */
  readonly hears: (update: Readonly<Record<string, unknown>>) => Promise<void>;
};

export const ada = { id: 42, is_bot: false, first_name: 'Ada', username: 'ada' } as const;
export const groupId = -1_001_234_567_890;

/** Everything is closed when the test has finished. */
export async function startBot(
  options: Parameters<typeof createTestServer>[0] & { readonly api?: BotApi } = {},
): Promise<TestBot> {
  const { api: given, ...serverOptions } = options;
  const api = given ?? (await startBotApi());
  const server = await createTestServer({ bot: { api }, ...serverOptions });
  onTestFinished(async () => {
    await server.close();
    await api.close();
  });
  let nextMessageId = 1000;

  async function hears(update: Readonly<Record<string, unknown>>): Promise<void> {
    api.updates.push(update);
    await api.updates.confirmed();
    await server.handled();
  }

  return {
    api,
    server,
    hears,
    writes: async (text, { chatId = ada.id, from = ada.id, topicId, fields } = {}) => {
      nextMessageId += 1;
      const written = writtenMessage({ text, chatId, from, topicId, messageId: nextMessageId });
      await hears({ message: { ...written, ...fields } });
      return nextMessageId;
    },
  };
}

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

export async function startManaged(options: Parameters<typeof startBot>[0] = {}) {
  const bot = await startBot(options);
  bot.api.addChat({ id: groupId, title: 'Otters', creator: owner });
  const me = await signIn(bot.server, owner);
  await bot.server.call(addChat, { chat_id: groupId }, me);
  await bot.server.call(verifyChat, { chat_id: groupId, otp: bot.api.lastCode(owner) }, me);
  return { ...bot, me };
}

export const readBotPlace = ({ server }: TestBot, chatId = groupId) =>
  server.db.selectFrom('bot_chats').selectAll().where('chat_id', '=', chatId).executeTakeFirst();
