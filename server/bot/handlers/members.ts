/** Bans, mutes and removals, their buttons, and approvals. */
import {
  type Answer,
  type BotTools,
  buttonData,
  type CommandRequest,
  type Handler,
  type PressHandler,
} from '#server/bot/command';
import { commandTexts } from '#server/bot/command-texts';
import { getReply, readTimeAndReason, readWriter } from '#server/bot/reading';
import { type RichText, writeWithPeople } from '#server/bot/rich-text';
import { deletedByCommand } from '#server/db/due-deletions';
import { AppError } from '#server/lib/errors';
import { memberRules } from '#server/lib/limits';
import {
  anonymousId,
  memberTexts,
  type Order,
  type Person,
  refuse,
  sayExactly,
} from '#services/members';
import { deletableForMs } from '#services/moderation';

import { sayDay } from './days.ts';
import { requireTarget } from './people.ts';
import { readPromoters } from './roles.ts';

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
  const order = await toTimedOrder(request, tools);
  if (request.name !== 'dban') {
    return banPerson(order, request, tools);
  }
  await requireDeleting(request, tools);
  const answer = await banPerson(order, request, tools);
  const failure = await deleteReplied(request, order.target, tools);
  return failure === undefined ? answer : addLine(answer, failure);
};

function addLine({ text, ...answer }: Answer, line: string): Answer {
  const rich = typeof text === 'string' ? { text, entities: [] } : text;
  return { ...answer, text: { ...rich, text: `${rich.text}\n${line}` } };
}

/** Throws a refusal unless both the user and the bot may delete. Who hides was trusted before, or has shown who they are. */
async function requireDeleting({ chatId, issuer }: CommandRequest, { services }: BotTools) {
  const { rights } = services.memberCommands;
  if (issuer.telegramId !== anonymousId) {
    await rights.requireUser(chatId, issuer.telegramId, 'delete');
  }
  await rights.requireBot(chatId, 'delete');
}

/** Deletes the message of the banned member to which the command replies. Returns why it could not. */
async function deleteReplied(
  { message, chatId, say }: CommandRequest,
  { telegramId }: Person,
  tools: BotTools,
): Promise<string | undefined> {
  const reply = getReply(message);
  if (reply === undefined || readWriter(reply)?.telegramId !== telegramId) {
    return say(commandTexts).del.usage;
  }
  const texts = say(memberTexts).refusals;
  const { refused, putOff } = await deleteMessages(chatId, [reply.message_id], tools);
  if (refused === 0) {
    return putOff === 0 ? undefined : texts.deletedLater;
  }
  const isOld = reply.date * 1000 <= tools.deps.clock() - deletableForMs;
  return isOld ? texts.messageTooOld : texts.other("message can't be deleted");
}

/** Also for the button of a report. */
export async function banPerson(
  order: Order,
  { say }: Pick<CommandRequest, 'say'>,
  { services }: Pick<BotTools, 'services'>,
): Promise<Answer> {
  const { id } = await services.memberCommands.ban(order);
  const texts = say(commandTexts).ban;
  const { seconds } = order;
  return {
    text: writeAbout(order, { say }, (name) =>
      seconds === undefined ? texts.done(name) : texts.forTime(name, sayExactly(seconds, say)),
    ),
    buttons: [
      [undoButton(id, { say })],
      [{ text: texts.deleteMessages, data: buttonData('wipe', id) }],
    ],
  };
}

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

export const mute: Handler = async (request, tools): Promise<Answer> =>
  mutePerson(await toTimedOrder(request, tools), request, tools);

/** Also for the button of a report. */
export async function mutePerson(
  order: Order,
  { say }: Pick<CommandRequest, 'say'>,
  { services }: Pick<BotTools, 'services'>,
): Promise<Answer> {
  const { id } = await services.memberCommands.mute(order);
  const texts = say(commandTexts).mute;
  const { seconds } = order;
  return {
    text: writeAbout(order, { say }, (name) =>
      seconds === undefined ? texts.done(name) : texts.forTime(name, sayExactly(seconds, say)),
    ),
    buttons: [[undoButton(id, { say })]],
  };
}

export const unmute: Handler = async (request, tools): Promise<Answer> => {
  const order = await toOrder(request, tools);
  await tools.services.memberCommands.unmute(order);
  return { text: writeAbout(order, request, request.say(commandTexts).unmute) };
};

/** Deletes messages of others; resolves with how many Telegram has refused, and how many go later. */
export async function deleteMessages(
  chatId: number,
  messageIds: readonly number[],
  { deps, services }: Pick<BotTools, 'deps' | 'services'>,
): Promise<{ readonly refused: number; readonly putOff: number }> {
  const giveUpAt = deps.clock() + deletableForMs;
  const { gone, ...numbers } = await services.deletions.deleteNow(
    messageIds.map((messageId) => ({ chatId, messageId, setting: deletedByCommand, giveUpAt })),
  );
  // So that no one is told again that they were deleted.
  await services.memberCommands.seenMessages.remove(chatId, gone);
  return numbers;
}

/** Undoes what the message with the button says. */
export const pressUndo: PressHandler = async (press, tools) => {
  const { chatId, data, issuer, say, key } = press;
  const { services } = tools;
  const { rights, undo, findAction } = services.memberCommands;
  const action = await findAction(chatId, data);
  if (action === undefined) {
    throw new AppError('action_not_found');
  }
  if (action.kind === 'promote') {
    await readPromoters(press, tools);
  } else {
    await rights.requireUser(chatId, issuer.telegramId, 'restrict');
  }
  const undone = await undo({ chatId, actionId: data, by: issuer, key });
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
  const { chatId, data, issuer, say, key } = press;
  const { rights, findAction, seenMessages, logChannel } = tools.services.memberCommands;
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
  const { refused, putOff } = await deleteMessages(chatId, messageIds, tools);
  const count = messageIds.length - refused;
  await logChannel.add(chatId, {
    category: 'messages',
    id: key,
    body: { kind: 'purge', count, byId: issuer.telegramId },
  });
  return { notice: putOff === 0 ? texts.deleted(count) : say(memberTexts).refusals.deletedLater };
};

export const approve: Handler = async (request, tools): Promise<Answer> => {
  const { say, chatId, name: verb, issuer, key } = request;
  const { memberCommands } = tools.services;
  const texts = say(commandTexts).approve;
  if (verb === 'approved') {
    return listApproved(request, tools);
  }
  const { person, rest } = await requireTarget(request, tools);
  const { telegramId } = person;
  const approving = { chatId, telegramId, byId: issuer.telegramId, key };
  if (verb === 'unapprove') {
    const wasApproved = await memberCommands.unapprove(approving);
    const write = wasApproved ? texts.ended : texts.notApproved;
    return { text: writeWithPeople((name) => write(name(person))) };
  }
  await memberCommands.rights.requireTarget(chatId, person, issuer.telegramId);
  if (telegramId < 0) {
    throw refuse((refusals) => refusals.channelOnlyBanned);
  }
  const { seconds } = readTimeAndReason(rest);
  const now = tools.deps.clock();
  const until = seconds === undefined ? undefined : now + seconds * 1000;
  const isAdded = await memberCommands.approve({ ...approving, at: now, until });
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
