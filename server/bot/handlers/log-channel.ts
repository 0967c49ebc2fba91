/** The log channel of a group: which one, another, none. */
import { type Message } from 'grammy/types';

import { wholeChatId } from '#server/db/chat-values';
import { readSettings, refuse } from '#services/members';

import { commandTexts } from '#server/bot/command-texts';
import { type Answer, type Handler } from '#server/bot/command';

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
