/** Chats on the wire: adding and verifying them, reading them, and what their topics block. */
import { type Hono } from 'hono';

import {
  addChat,
  addTopic,
  listChats,
  readChat,
  readTopic,
  setSetting,
  verifyChat,
} from '#contract/endpoints/chats';
import { type AppContext, type AppEnv } from '#server/http/app-env';
import { on } from '#server/http/on';
import { requireTelegramId } from '#server/http/requests';
import { AppError } from '#server/lib/errors';
import { type Services } from '#server/services/services';
import { chatTexts, type ManagedChat } from '#services/chats';

export function addChatRoutes(
  app: Hono<AppEnv>,
  {
    chats,
    chatChanges,
    chatVerification,
  }: Pick<Services, 'chats' | 'chatChanges' | 'chatVerification'>,
): void {
  on(app, listChats, async (_input, c) => {
    const [managed, unverified, newest] = await Promise.all([
      chats.list(requireTelegramId(c)),
      chats.unverified(requireTelegramId(c)),
      chats.newest(requireTelegramId(c)),
    ]);
    return {
      chats: managed.map(({ chatId, name, isDemo }) => ({
        chat_id: chatId,
        chat_name: name,
        is_demo: isDemo,
      })),
      unverified: unverified.map(({ chatId, name }) => ({ chat_id: chatId, chat_name: name })),
      ...(newest && { newest: { chat_id: newest.chatId, added_at: newest.addedAt } }),
    };
  });

  on(app, addChat, async ({ chat_id }, c) => ({
    message: await chatVerification.request(wishOf(chat_id, c)),
  }));

  on(app, verifyChat, async ({ chat_id, otp }, c) => {
    const chatId = await chatVerification.verify(wishOf(chat_id, c), otp);
    return { chat: toWire(await chats.read(requireTelegramId(c), chatId)) };
  });

  on(app, readChat, async ({ chat_id }, c) =>
    toWire(await chats.read(requireTelegramId(c), chatNumber(chat_id))),
  );

  on(app, readTopic, async ({ chat_id, topic_id }, c) => ({
    topic_id,
    settings: await chats.readTopic(requireTelegramId(c), chatNumber(chat_id), Number(topic_id)),
  }));

  on(app, addTopic, async ({ chat_id, topic_id }, c) => ({
    topic_id,
    settings: await chats.addTopic(requireTelegramId(c), chatNumber(chat_id), Number(topic_id)),
  }));

  on(app, setSetting, async ({ chat_id, topic_id, setting_name, value }, c) => ({
    setting_name,
    value: await chatChanges.toggle(requireTelegramId(c), {
      chatId: chatNumber(chat_id),
      topicId: Number(topic_id),
      name: setting_name,
      isBlocked: value,
    }),
  }));
}

function wishOf(chatId: string, c: AppContext) {
  return { telegramId: requireTelegramId(c), chatId: chatNumber(chatId) };
}

/** Sixteen digits can exceed what a number holds exactly, and no chat of Telegram has such an id. */
export function chatNumber(text: string): number {
  const chatId = Number(text);
  if (!Number.isSafeInteger(chatId)) {
    throw new AppError('invalid_input', { detail: chatTexts.malformedChatId });
  }
  return chatId;
}

function toWire({ chatId, name, isDemo, topics, topicNames }: ManagedChat) {
  return {
    chat_id: chatId,
    chat_name: name,
    is_demo: isDemo,
    topics: Object.fromEntries(topics),
    topic_names: Object.fromEntries(topicNames),
  };
}
