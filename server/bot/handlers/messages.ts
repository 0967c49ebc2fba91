/** Deleting messages, and pinning them. */
import * as v from 'valibot';

import {
  type Answer,
  type BotTools,
  buttonData,
  type CommandRequest,
  type Handler,
  type PressHandler,
} from '#server/bot/command';
import { commandTexts } from '#server/bot/command-texts';
import { getReply, readWriter } from '#server/bot/reading';
import { isForumChat } from '#server/upstream/telegram/bot';
import { refuse, requireDone } from '#services/members';
import { deletableForMs } from '#services/moderation';

import { callOnce, keepForUpdate } from './calls.ts';
import { deleteMessages } from './members.ts';

const maxPurged = 1000;
/** The answer of a purge goes sooner than others: it is about what is gone. */
const purgeAnswerMs = 10_000;

/** The messages that a purge means, and how many of them are too old. */
const chosenBody = v.object({ messageIds: v.array(v.number()), old: v.number() });
type Purged = { readonly messageIds: readonly number[]; readonly old: number };

/** How many a purge has deleted, and how many were too old. */
const purgedBody = v.object({ count: v.number(), tooOld: v.number() });

export const purge: Handler = async (request, tools): Promise<Answer> => {
  const texts = request.say(commandTexts).purge;
  const { count, tooOld } = await purgeOnce(request, tools);
  return {
    text: tooOld === 0 ? texts.deleted(count) : texts.deletedSome(count, tooOld),
    keepMs: purgeAnswerMs,
  };
};

/**
 * What was chosen is kept before anything is deleted: the newest messages are others afterwards. Throws a refusal
 * while Telegram does not answer.
 */
async function purgeOnce(
  request: CommandRequest,
  tools: BotTools,
): Promise<v.InferOutput<typeof purgedBody>> {
  const { chatId, issuer, key, message } = request;
  const kept = keepForUpdate(request, tools);
  const body =
    (await kept.read()) ?? (await kept.add(JSON.stringify(await findPurged(request, tools))));
  const purged = v.safeParse(purgedBody, JSON.parse(body));
  if (purged.success) {
    return purged.output;
  }
  const { messageIds, old } = v.parse(chosenBody, JSON.parse(body));
  const { refused, putOff } = await deleteMessages(chatId, messageIds, tools);
  if (message.message_id > 0) {
    await deleteMessages(chatId, [message.message_id], tools);
  }
  // What is put off goes without another command.
  const count = messageIds.length - refused;
  await tools.services.memberCommands.logChannel.add(chatId, {
    category: 'messages',
    id: key,
    body: { kind: 'purge', count, byId: issuer.telegramId },
  });
  if (putOff > 0) {
    throw refuse((texts) => texts.deletedLater);
  }
  const result = { count, tooOld: old + refused };
  await kept.change(body, JSON.stringify(result));
  return result;
}

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
    if (hasOwnIds(request)) {
      return { messageIds: listBefore(message.message_id, limit), old: 0 };
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

/** The newest first. */
function listBefore(messageId: number, limit: number): readonly number[] {
  const length = Math.min(limit, messageId - 1);
  return Array.from({ length }, (_one, index) => messageId - 1 - index);
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

export const del: Handler = async ({ chatId, message, issuer, key }, tools) => {
  const reply = getReply(message);
  if (reply === undefined) {
    throw refuse((_texts, say) => say(commandTexts).del.usage);
  }
  const ids = [reply.message_id, message.message_id].filter((id) => id > 0);
  const { refused, putOff } = await deleteMessages(chatId, ids, tools);
  if (refused > 0) {
    throw refuse((texts) => texts.messageTooOld);
  }
  await tools.services.memberCommands.logChannel.add(chatId, {
    category: 'messages',
    id: key,
    body: {
      kind: 'delete',
      targetId: readWriter(reply)?.telegramId ?? chatId,
      byId: issuer.telegramId,
    },
  });
  if (putOff > 0) {
    throw refuse((texts) => texts.deletedLater);
  }
  return undefined;
};

export const pin: Handler = async (request, tools): Promise<Answer> => {
  const { name: verb, say, message, args } = request;
  const wanted = args.text.trim().toLowerCase();
  if (verb === 'unpin') {
    return wanted === 'all' ? askToUnpinAll(request) : unpin(request, tools);
  }
  const reply = getReply(message);
  if (reply === undefined) {
    throw refuse((_texts, saying) => saying(commandTexts).pin.usage);
  }
  const outcome = await callOnce(request, tools, {
    isRepeatable: true,
    make: (api, id) => api.pin(id, reply.message_id, wanted === 'loud'),
  });
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
async function unpin(request: CommandRequest, tools: BotTools): Promise<Answer> {
  const { say, chat, message } = request;
  const reply = getReply(message);
  if (reply === undefined && isForumChat(chat)) {
    throw refuse((_texts, saying) => saying(commandTexts).pin.unpinUsage);
  }
  const outcome = await callOnce(request, tools, {
    // The next newest would go as well.
    isRepeatable: reply !== undefined,
    make: (api, id) => api.unpin(id, reply?.message_id),
  });
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
  const outcome = await callOnce(press, tools, {
    isRepeatable: true,
    make: (api, id) => api.unpinAll(id, topicId),
  });
  requireDone(outcome, { right: 'pin' });
  const text = say(commandTexts).pin.allUnpinned;
  return { notice: text, edit: { text } };
};
