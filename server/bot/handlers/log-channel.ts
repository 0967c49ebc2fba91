/** The log channel of a group: the command, /setlog in a channel, and channels that users pick in Telegram's list. */
import { type Message } from 'grammy/types';

import { type Answers } from '#server/bot/answers';
import { type Answer, type BotTools, type Handler, readLanguage } from '#server/bot/command';
import { commandTexts } from '#server/bot/command-texts';
import { readCommand } from '#server/bot/reading';
import { wholeChatId } from '#server/db/chat-values';
import { AppError } from '#server/lib/errors';
import { groupRequestId } from '#server/upstream/telegram/telegram';
import { readSettings, refuse } from '#services/members';

export const logchannel: Handler = async (request, tools): Promise<Answer> => {
  const { name: verb, say, chatId, chat, issuer, message } = request;
  const { chatValues, memberCommands } = tools.services;
  const texts = say(commandTexts).logChannel;
  const change = { chatId, chatName: chat.title ?? '', by: issuer.telegramId } as const;
  const channel = verb === 'setlog' ? readChannel(message) : undefined;
  if (channel !== undefined) {
    await memberCommands.logChannel.set(change, channel);
    return { text: texts.set(channel.title) };
  }
  if (verb === 'unsetlog') {
    await chatValues.changeByCommand(
      { ...change, kind: 'values' },
      new Map([[wholeChatId, { log_channel: null }]]),
    );
    return { text: texts.removed };
  }
  const { log_channel: current } = await readSettings(chatValues, chatId);
  return { text: current === undefined ? texts.none : texts.current(current.title) };
};

/** The channel from which the command was forwarded; undefined when it was typed in the group. */
function readChannel({ forward_origin: origin }: Message) {
  if (origin === undefined) {
    return undefined;
  }
  if (origin.type !== 'channel') {
    throw refuse((_texts, say) => say(commandTexts).logChannel.anonymousForward);
  }
  return { id: origin.chat.id, title: origin.chat.title };
}

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
