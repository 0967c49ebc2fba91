import {
  type Answer,
  type BotTools,
  buttonData,
  type CommandRequest,
  type Handler,
  type PressHandler,
} from '#server/bot/command';
import { commandTexts } from '#server/bot/command-texts';
import { getReply, readTimeAndReason } from '#server/bot/reading';
import { type RichText, writeWithPeople } from '#server/bot/rich-text';
/** Bans, mutes and removals, their buttons, and approvals. */
import { deletedByCommand } from '#server/db/due-deletions';
import { AppError } from '#server/lib/errors';
import { memberRules } from '#server/lib/limits';
import { type Order, type Person, refuse, sayExactly } from '#services/members';
import { deletableForMs } from '#services/moderation';

import { sayDay } from './days.ts';
import { requireTarget } from './people.ts';

/** What an administrator wants, as it was typed. */
async function toOrder(request: CommandRequest, tools: BotTools): Promise<Order> {
  const { chatId, chat, issuer, key } = request;
  const { person, rest } = await requireTarget(request, tools);
  return {
    chatId,
    by: issuer,
    target: person,
    ...readTimeAndReason(rest),
    key,
    isBasicGroup: chat.type === 'group',
  };
}

/** Verbs that need a time. */
const timedVerbs: ReadonlySet<string> = new Set(['tban', 'tmute']);

async function toTimedOrder(request: CommandRequest, tools: BotTools): Promise<Order> {
  const order = await toOrder(request, tools);
  if (order.seconds === undefined && timedVerbs.has(request.name)) {
    throw refuse((texts) => texts.duration);
  }
  return order;
}

/** A sentence about a person, with the reason if there is one. */
function writeAbout(
  { target, reason }: Pick<Order, 'target' | 'reason'>,
  { say }: Pick<CommandRequest, 'say'>,
  write: (name: string) => string,
): RichText {
  return writeWithPeople((name) => {
    const sentence = write(name(target));
    return reason === '' ? sentence : say(commandTexts).withReason(sentence, reason);
  });
}

const undoButton = (actionId: string, { say }: Pick<CommandRequest, 'say'>) => ({
  text: say(commandTexts).undo,
  data: buttonData('undo', actionId),
});

export const ban: Handler = async (request, tools): Promise<Answer> => {
  const { say, message, chatId, name: verb } = request;
  const order = await toTimedOrder(request, tools);
  const { id } = await tools.services.memberCommands.ban(order);
  const reply = getReply(message);
  if (verb === 'dban' && reply !== undefined) {
    await deleteMessages(chatId, [reply.message_id], tools);
  }
  const texts = say(commandTexts).ban;
  const { seconds } = order;
  return {
    text: writeAbout(order, request, (name) =>
      seconds === undefined ? texts.done(name) : texts.forTime(name, sayExactly(seconds, say)),
    ),
    buttons: [
      [undoButton(id, request)],
      [{ text: texts.deleteMessages, data: buttonData('wipe', id) }],
    ],
  };
};

export const unban: Handler = async (request, tools): Promise<Answer> => {
  const order = await toOrder(request, tools);
  await tools.services.memberCommands.unban(order);
  return { text: writeAbout(order, request, sayUnbanned(order.target, request)) };
};

/** A channel does not join: its owner writes in its name. */
function sayUnbanned({ telegramId }: Person, { say }: Pick<CommandRequest, 'say'>) {
  const { unban: mayJoin, unmute: mayWrite } = say(commandTexts);
  return telegramId < 0 ? mayWrite : mayJoin;
}

export const kick: Handler = async (request, tools): Promise<Answer> => {
  const order = await toOrder(request, tools);
  await tools.services.memberCommands.kick(order);
  return { text: writeAbout(order, request, request.say(commandTexts).kick) };
};

export const mute: Handler = async (request, tools): Promise<Answer> => {
  const { say } = request;
  const order = await toTimedOrder(request, tools);
  const { id } = await tools.services.memberCommands.mute(order);
  const texts = say(commandTexts).mute;
  const { seconds } = order;
  return {
    text: writeAbout(order, request, (name) =>
      seconds === undefined ? texts.done(name) : texts.forTime(name, sayExactly(seconds, say)),
    ),
    buttons: [[undoButton(id, request)]],
  };
};

export const unmute: Handler = async (request, tools): Promise<Answer> => {
  const order = await toOrder(request, tools);
  await tools.services.memberCommands.unmute(order);
  return { text: writeAbout(order, request, request.say(commandTexts).unmute) };
};

/** Deletes messages of others; resolves with how many Telegram has refused. */
export async function deleteMessages(
  chatId: number,
  messageIds: readonly number[],
  { deps, services }: Pick<BotTools, 'deps' | 'services'>,
): Promise<{ readonly refused: number }> {
  const giveUpAt = deps.clock() + deletableForMs;
  const result = await services.deletions.deleteNow(
    messageIds.map((messageId) => ({ chatId, messageId, setting: deletedByCommand, giveUpAt })),
  );
  if (result.refused === 0) {
    // So that no one is told again that they were deleted.
    await services.memberCommands.seenMessages.remove(chatId, messageIds);
  }
  return result;
}

/** Undoes what the message with the button says. */
export const pressUndo: PressHandler = async (press, { services }) => {
  const { chatId, data, issuer, say } = press;
  const { rights, undo, findAction } = services.memberCommands;
  const action = await findAction(chatId, data);
  if (action === undefined) {
    throw new AppError('action_not_found');
  }
  await rights.requireUser(
    chatId,
    issuer.telegramId,
    action.kind === 'promote' ? 'promote' : 'restrict',
  );
  const undone = await undo(chatId, data, issuer);
  const texts = say(commandTexts);
  const { target } = undone;
  const person: Person = {
    telegramId: target.telegramId,
    name: target.name === '' ? String(target.telegramId) : target.name,
  };
  const text = writeWithPeople((name) => {
    const sentences = {
      ban: sayUnbanned(person, press),
      mute: texts.unmute,
      warn: texts.warn.takenBack,
      promote: texts.promote.demoted,
    } as const;
    const { kind } = undone;
    const sentence =
      kind === 'ban' || kind === 'mute' || kind === 'warn' || kind === 'promote'
        ? sentences[kind](name(person))
        : texts.undoneShort;
    return texts.undone(sentence, name(issuer));
  });
  return { edit: { text }, notice: texts.undoneShort };
};

/** What a call of Telegram takes, ten times: more than a member writes in two days. */
const maxWiped = 1000;

/** Deletes what a banned member has written in the last 48 hours. */
export const pressWipe: PressHandler = async (press, tools) => {
  const { chatId, data, issuer, say } = press;
  const { rights, findAction, seenMessages } = tools.services.memberCommands;
  await rights.requireUser(chatId, issuer.telegramId, 'delete');
  await rights.requireBot(chatId, 'delete');
  const action = await findAction(chatId, data);
  if (action === undefined) {
    throw new AppError('action_not_found');
  }
  const messageIds = await seenMessages.listBySender(chatId, action.target.telegramId, {
    sentAfter: tools.deps.clock() - deletableForMs,
    limit: maxWiped,
  });
  const texts = say(commandTexts).ban;
  if (messageIds.length === 0) {
    return { notice: texts.nothingToDelete };
  }
  const { refused } = await deleteMessages(chatId, messageIds, tools);
  return { notice: texts.deleted(messageIds.length - refused) };
};

export const approve: Handler = async (request, tools): Promise<Answer> => {
  const { say, chatId, name: verb, issuer } = request;
  const { memberCommands } = tools.services;
  const texts = say(commandTexts).approve;
  if (verb === 'approved') {
    return listApproved(request, tools);
  }
  const { person, rest } = await requireTarget(request, tools);
  const { telegramId } = person;
  if (verb === 'unapprove') {
    const wasApproved = await memberCommands.unapprove(chatId, telegramId);
    const write = wasApproved ? texts.ended : texts.notApproved;
    return { text: writeWithPeople((name) => write(name(person))) };
  }
  await memberCommands.rights.requireTarget(chatId, person, issuer.telegramId);
  const { seconds } = readTimeAndReason(rest);
  const now = tools.deps.clock();
  const until = seconds === undefined ? undefined : now + seconds * 1000;
  const approval = { chatId, telegramId, byId: issuer.telegramId, at: now, until };
  const isAdded = await memberCommands.approve(approval);
  if (!isAdded) {
    throw refuse((refusals) => refusals.atMostApprovals(memberRules.maxApprovals));
  }
  return {
    text: writeWithPeople((name) =>
      seconds === undefined
        ? texts.done(name(person))
        : texts.forTime(name(person), sayExactly(seconds, say)),
    ),
  };
};

async function listApproved(
  { say, chatId, language }: CommandRequest,
  { deps, services }: BotTools,
): Promise<Answer> {
  const texts = say(commandTexts).approve;
  const approved = await services.memberCommands.listApproved(chatId);
  if (approved.length === 0) {
    return { text: texts.none };
  }
  const entries = approved.map(({ target: { telegramId, name }, until }) => {
    const shown = name === '' ? String(telegramId) : name;
    return until === undefined
      ? texts.entry(shown)
      : texts.entryUntil(shown, sayDay(until, language.language, deps.clock()));
  });
  return { text: texts.list(entries.join('\n')) };
}
