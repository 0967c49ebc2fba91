/** Brings each update to those who work with it. */
import { Bot as GrammyBot, BotError } from 'grammy';
import { type Chat, type Message, type UserFromGetMe } from 'grammy/types';

import { type HandleUpdate } from './update-queue.ts';

/** Decides about a message in a group or supergroup; resolves when nothing of it can get lost any more. */
type OnGroupMessage = (message: Message, about: { readonly isEdited: boolean }) => Promise<void>;

/** `listen` adds the listeners. They answer by `TelegramBot` only: errors of the context's own calls hold the token. */
export function createRouter({
  token,
  me,
  onGroupMessage,
  listen,
}: {
  readonly token: string;
  readonly me: UserFromGetMe;
  readonly onGroupMessage: OnGroupMessage;
  readonly listen: (bot: GrammyBot) => void;
}): HandleUpdate {
  const bot = new GrammyBot(token, { botInfo: me });
  listen(bot);

  return async (update, alongside) => {
    const message = update.message ?? update.edited_message;
    if (message !== undefined && isGroup(message.chat)) {
      alongside(onGroupMessage(message, { isEdited: update.edited_message !== undefined }));
    }
    try {
      await bot.handleUpdate(update);
    } catch (error) {
      // The context around it holds the token, and would be logged with it.
      throw error instanceof BotError ? error.error : error;
    }
  };
}

export function isGroup({ type }: Chat): boolean {
  return type === 'group' || type === 'supergroup';
}
