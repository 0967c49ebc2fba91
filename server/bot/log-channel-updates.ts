/** What updates say about log channels: /setlog in a channel, and channels that users pick in Telegram's list. */
import { type Message } from 'grammy/types';

import { AppError } from '#server/lib/errors';
import { groupRequestId } from '#server/upstream/telegram/telegram';

import { type Answers } from './answers.ts';
import { commandTexts } from './command-texts.ts';
import { type BotTools } from './command.ts';
import { readLanguage } from './commands.ts';
import { readCommand } from './reading.ts';

export type LogChannelUpdates = ReturnType<typeof createLogChannelUpdates>;

export function createLogChannelUpdates(username: string, answers: Answers, tools: BotTools) {
  const { memberCommands } = tools.services;
  const { textsIn } = tools.deps.languages;

  return {
    /** Says what comes next to an administrator who has written /setlog in a channel. */
    async posted(post: Message): Promise<void> {
      const typed = readCommand(post, username);
      const isOwn = post.forward_origin === undefined;
      if (typed?.name === 'setlog' && isOwn) {
        // A channel has no language, and Telegram does not say who wrote it.
        const { forwardThis } = commandTexts.logChannel;
        await answers.send({ chatId: post.chat.id, text: forwardThis, replyTo: post.message_id });
      }
    },

    /** In a private chat: the user has picked the log channel of a group on the dashboard. */
    async picked({ chat, from, chat_shared: shared }: Message): Promise<void> {
      const isChannel = shared !== undefined && shared.request_id !== groupRequestId;
      if (chat.type !== 'private' || !isChannel || from === undefined) {
        return;
      }
      const { language } = await readLanguage(chat, from, tools);
      const say = textsIn(language);
      const channel = { id: shared.chat_id, title: shared.title ?? String(shared.chat_id) };
      try {
        const isSet = await memberCommands.logChannel.picked(from.id, shared.request_id, channel);
        const texts = say(commandTexts).logChannel;
        const text = isSet ? texts.picked(channel.title) : texts.pickedTooLate;
        await answers.send({ chatId: chat.id, text });
      } catch (error) {
        if (!(error instanceof AppError)) {
          throw error;
        }
        await answers.send({ chatId: chat.id, text: error.sayIn(say) });
      }
    },
  };
}
