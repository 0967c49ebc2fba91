import {
  type Answer,
  type BotTools,
  buttonData,
  type CommandRequest,
  type Handler,
  type PressHandler,
} from '#server/bot/command';
import { commandTexts } from '#server/bot/command-texts';
import { getReply } from '#server/bot/reading';
/** Deleting messages, and pinning them. */
import { isForumChat } from '#server/upstream/telegram/bot';
import { refuse, requireDone } from '#services/members';
import { deletableForMs } from '#services/moderation';

import { callTelegram } from './calls.ts';
import { deleteMessages } from './members.ts';

const maxPurged = 1000;
/** The answer of a purge goes sooner than others: it is about what is gone. */
const purgeAnswerMs = 10_000;

/** The messages that a purge means, and how many of them are too old. */
type Purged = { readonly messageIds: readonly number[]; readonly old: number };

export const purge: Handler = async (request, tools): Promise<Answer> => {
  const { say, chatId, issuer, key, message } = request;
  const { logChannel } = tools.services.memberCommands;
  const texts = say(commandTexts).purge;
  const { messageIds, old } = await findPurged(request, tools);
  const { refused } = await deleteMessages(chatId, messageIds, tools);
  if (message.message_id > 0) {
    await deleteMessages(chatId, [message.message_id], tools);
  }
  const count = messageIds.length - refused;
  await logChannel.addInTransaction(tools.deps.database.db, chatId, {
    category: 'messages',
    id: key,
    body: { kind: 'purge', count, byId: issuer.telegramId },
  });
  logChannel.wake();
  const tooOld = old + refused;
  return {
    text: tooOld === 0 ? texts.deleted(count) : texts.deletedSome(count, tooOld),
    keepMs: purgeAnswerMs,
  };
};

async function findPurged(request: CommandRequest, tools: BotTools): Promise<Purged> {
  const { chatId, topicId, message, args } = request;
  const reply = getReply(message);
  const typed = args.text.trim();
  const sentAfter = tools.deps.clock() - deletableForMs;
  const { seenMessages } = tools.services.memberCommands;
  if (typed !== '') {
    const limit = /^\d{1,6}$/.test(typed) ? Number(typed) : 0;
    if (limit < 1) {
      throw refuse((_texts, say) => say(commandTexts).purge.usage);
    }
    if (limit > maxPurged) {
      throw refuse((_texts, say) => say(commandTexts).purge.atMost(maxPurged));
    }
    const messageIds = await seenMessages.listNewest(chatId, {
      topicId: topicId ?? 0,
      beforeMessageId: message.message_id > 0 ? message.message_id : maxMessageId,
      sentAfter,
      limit,
    });
    return { messageIds, old: 0 };
  }
  if (reply === undefined) {
    throw refuse((_texts, say) => say(commandTexts).purge.usage);
  }
  return findFromReply(request, tools, reply);
}

/** More than any message has. */
const maxMessageId = 2 ** 31 - 1;

/** What is replied to, as far as Telegram shows it. */
type Start = { readonly message_id: number; readonly date: number };

/** All from one message to the command. */
async function findFromReply(
  request: CommandRequest,
  { deps, services }: BotTools,
  { message_id: startId, date }: Start,
): Promise<Purged> {
  const { chatId, chat, topicId, message } = request;
  const sentAfter = deps.clock() - deletableForMs;
  // Of a message that it does not show any more, Telegram says 0.
  const isOld = date > 0 && date * 1000 <= sentAfter;
  const endId = message.message_id > 0 ? message.message_id - 1 : maxMessageId;
  const seen = await services.memberCommands.seenMessages.listFrom(chatId, {
    ...(isForumChat(chat) ? { topicId: topicId ?? 0 } : {}),
    fromMessageId: startId,
    toMessageId: endId,
    sentAfter,
    limit: maxPurged + 1,
  });
  const firstId = isOld ? seen[0] : startId;
  if (firstId === undefined || !hasOwnIds(request)) {
    const messageIds = isOld ? seen : [...new Set([startId, ...seen])];
    throwIfTooMany(messageIds.length);
    return { messageIds, old: isOld ? 1 : 0 };
  }
  const length = endId - firstId + 1;
  throwIfTooMany(length);
  return {
    messageIds: Array.from({ length }, (_one, index) => firstId + index),
    old: Math.min(firstId - startId, maxPurged),
  };
}

/**
 * Whether all IDs in between are messages of this place, also those that the bot has not seen, such as messages of
 * bots. The topics of a forum share their IDs, and so do all basic groups of a bot.
 */
function hasOwnIds({ chat, message }: CommandRequest): boolean {
  return chat.type === 'supergroup' && !isForumChat(chat) && message.message_id > 0;
}

function throwIfTooMany(count: number): void {
  if (count > maxPurged) {
    throw refuse((_texts, say) => say(commandTexts).purge.atMost(maxPurged));
  }
}

export const del: Handler = async ({ chatId, message }, tools) => {
  const reply = getReply(message);
  if (reply === undefined) {
    throw refuse((_texts, say) => say(commandTexts).del.usage);
  }
  const ids = [reply.message_id, message.message_id].filter((id) => id > 0);
  const { refused } = await deleteMessages(chatId, ids, tools);
  if (refused > 0) {
    throw refuse((texts) => texts.messageTooOld);
  }
  return undefined;
};

export const pin: Handler = async (request, tools): Promise<Answer> => {
  const { name: verb, say, chatId, message, args } = request;
  const wanted = args.text.trim().toLowerCase();
  if (verb === 'unpin') {
    return wanted === 'all' ? askToUnpinAll(request) : unpin(request, tools);
  }
  const reply = getReply(message);
  if (reply === undefined) {
    throw refuse((_texts, saying) => saying(commandTexts).pin.usage);
  }
  const outcome = await callTelegram(chatId, tools, (api, id) =>
    api.pin(id, reply.message_id, wanted === 'loud'),
  );
  requireDone(outcome, { right: 'pin' });
  return { text: say(commandTexts).pin.pinned };
};

function askToUnpinAll({ say, topicId, chat }: CommandRequest): Answer {
  const texts = say(commandTexts).pin;
  const place = String(topicId ?? (isForumChat(chat) ? 0 : 'all'));
  return {
    text: texts.askAll,
    buttons: [[{ text: texts.unpinAll, data: buttonData('unpin', place) }]],
  };
}

/** Without a reply the newest, which in a forum may be one of another topic: Telegram knows that of the group alone. */
async function unpin({ say, chatId, chat, message }: CommandRequest, tools: BotTools) {
  const reply = getReply(message);
  if (reply === undefined && isForumChat(chat)) {
    throw refuse((_texts, saying) => saying(commandTexts).pin.unpinUsage);
  }
  const outcome = await callTelegram(chatId, tools, (api, id) => api.unpin(id, reply?.message_id));
  if (reply === undefined && outcome.kind === 'refused' && outcome.why === 'message gone') {
    throw refuse((_texts, saying) => saying(commandTexts).pin.nothing);
  }
  requireDone(outcome, { right: 'pin' });
  return { text: say(commandTexts).pin.unpinned };
}

/** Asked for before, as it cannot be undone. */
export const pressUnpinAll: PressHandler = async (press, tools) => {
  const { chatId, data, issuer, say } = press;
  const { rights } = tools.services.memberCommands;
  await rights.requireUser(chatId, issuer.telegramId, 'pin');
  const topicId = data === 'all' ? undefined : Number(data);
  const outcome = await callTelegram(chatId, tools, (api, id) => api.unpinAll(id, topicId));
  requireDone(outcome, { right: 'pin' });
  const text = say(commandTexts).pin.allUnpinned;
  return { notice: text, edit: { text } };
};
