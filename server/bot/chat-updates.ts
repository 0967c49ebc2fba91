/** Reads what updates tell about chats, and passes it on. */
import { type Bot as GrammyBot } from 'grammy';
import { type ChatMember, type ChatMemberUpdated, type Message } from 'grammy/types';

import { type ChatUpdateHandler } from '#services/chats';

import { isGroup } from './router.ts';

/** `onAdministrators` hears of every chat whose administrators may be others than before. */
export function hearChats(
  bot: GrammyBot,
  news: ChatUpdateHandler,
  onAdministrators: (chatId: number) => void,
): void {
  bot.on('my_chat_member', async ({ myChatMember }) => {
    if (isGroup(myChatMember.chat)) {
      await news.moved(moveOf(myChatMember));
    }
  });

  bot.on('chat_member', async ({ chatMember: { chat, old_chat_member, new_chat_member } }) => {
    if (isGroup(chat) && old_chat_member.status !== new_chat_member.status) {
      onAdministrators(chat.id);
      await news.roleChanged(chat.id, new_chat_member.user.id);
    }
  });

  bot.on('message', async ({ message }) => {
    await (isGroup(message.chat)
      ? hearGroup(message, news, onAdministrators)
      : hearPick(message, news));
  });
}

function moveOf({ chat, from, old_chat_member, new_chat_member }: ChatMemberUpdated) {
  return {
    chatId: chat.id,
    title: chat.title ?? '',
    isForum: chat.is_forum === true,
    wasIn: isPresent(old_chat_member),
    isIn: isPresent(new_chat_member),
    mayDelete: mayDelete(new_chat_member),
    by: from.is_bot ? undefined : from.id,
  };
}

function isPresent(member: ChatMember): boolean {
  return member.status === 'restricted'
    ? member.is_member
    : member.status !== 'left' && member.status !== 'kicked';
}

function mayDelete(member: ChatMember): boolean {
  return member.status === 'administrator' && member.can_delete_messages;
}

/** Longer ones than Telegram's own are none of Telegram's. */
const longestName = 128;

async function hearGroup(
  message: Message,
  news: ChatUpdateHandler,
  onAdministrators: (chatId: number) => void,
): Promise<void> {
  const { chat, migrate_to_chat_id: newId, migrate_from_chat_id: oldId } = message;
  if (newId !== undefined) {
    await news.upgraded(chat.id, newId);
  } else if (oldId !== undefined) {
    await news.upgraded(oldId, chat.id);
  } else if (message.chat_owner_left !== undefined || message.chat_owner_changed !== undefined) {
    onAdministrators(chat.id);
    await news.ownerChanged(chat.id);
  } else if (message.new_chat_title !== undefined) {
    await news.renamed(chat.id, message.new_chat_title);
  } else {
    await hearTopic(message, news);
  }
}

async function hearTopic(message: Message, news: ChatUpdateHandler): Promise<void> {
  const { forum_topic_created: made, forum_topic_edited: edited, reply_to_message: to } = message;
  // General has no thread of its own.
  const topicId = message.message_thread_id ?? 0;
  const topic = (name: string) => ({
    chatId: message.chat.id,
    topicId,
    name: name.slice(0, longestName),
  });
  const name = made?.name ?? edited?.name;
  if (name !== undefined && name !== '') {
    await news.topicNamed(topic(name));
  } else if (
    message.is_topic_message === true &&
    to?.forum_topic_created !== undefined &&
    to.message_id === topicId
  ) {
    // What is no reply comes as one to the beginning of its topic, which tells its first name.
    await news.topicSeen(topic(to.forum_topic_created.name));
  }
}

async function hearPick(
  { chat, chat_shared: shared }: Message,
  news: ChatUpdateHandler,
): Promise<void> {
  if (chat.type === 'private' && shared !== undefined && shared.chat_id < 0) {
    await news.picked(shared.chat_id, chat.id, shared.title);
  }
}
