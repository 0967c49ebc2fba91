/** Administrators and tags. */
import { rights as allRights } from '#contract/commands/command';
import {
  type Answer,
  type BotTools,
  buttonData,
  type CommandRequest,
  type Handler,
} from '#server/bot/command';
import { commandTexts } from '#server/bot/command-texts';
import { writeWithPeople } from '#server/bot/rich-text';
import { AppError } from '#server/lib/errors';
import { type ChatMember } from '#server/upstream/telegram/telegram';
import {
  type Person,
  refuse,
  refuseWithoutBotRight,
  refuseWithoutUserRight,
  requireDone,
} from '#services/members';

import { callTelegram } from './calls.ts';
import { requireTarget, type TargetRequest } from './people.ts';

/** Telegram's limit for titles and tags. */
const maxLabelLength = 16;

export const promote: Handler = async (request, tools): Promise<Answer> => {
  const { name: verb } = request;
  return verb === 'demote' ? demote(request, tools) : promoteMember(request, tools);
};

/** Asked anew: rights that are passed on must not be those of a minute ago. */
async function readMember(chatId: number, telegramId: number, { deps }: BotTools) {
  return (await deps.telegram?.member(chatId, telegramId))?.member;
}

const isTooLong = (label: string) => Array.from(label).length > maxLabelLength;

/** Throws a refusal for whom no one can make an administrator: channels, the bot, the user who gives the command. */
async function requireMember(request: CommandRequest, tools: BotTools): Promise<TargetRequest> {
  const found = await requireTarget(request, tools);
  const { telegramId, name } = found.person;
  if (telegramId === request.chatId) {
    throw refuse((texts) => texts.administrator(name));
  }
  if (telegramId < 0) {
    throw refuse((texts) => texts.channelOnlyBanned);
  }
  tools.services.memberCommands.rights.throwIfSelf(found.person, request.issuer.telegramId);
  return found;
}

/** The bot and the user who acts. Throws a refusal unless both may promote, as Telegram says now. */
export async function readPromoters(
  { chatId, issuer }: Pick<CommandRequest, 'chatId' | 'issuer'>,
  tools: BotTools,
) {
  const { rights } = tools.services.memberCommands;
  const [me, giver] = await Promise.all([
    readMember(chatId, rights.botId, tools),
    readMember(chatId, issuer.telegramId, tools),
  ]);
  if (giver?.rights.has('promote') !== true) {
    rights.forget(chatId);
    throw refuseWithoutUserRight('promote');
  }
  if (me?.rights.has('promote') !== true) {
    rights.forget(chatId);
    throw refuseWithoutBotRight('promote');
  }
  return { me, giver };
}

/** What both the bot and the user who gives the command may do. Throws a refusal when it is nothing. */
async function readSharedRights(request: CommandRequest, tools: BotTools) {
  const { me, giver } = await readPromoters(request, tools);
  const shared = allRights.filter(
    (right) => right !== 'promote' && me.rights.has(right) && giver.rights.has(right),
  );
  if (shared.length === 0) {
    throw refuse((_texts, say) => say(commandTexts).promote.noRights);
  }
  return shared;
}

async function promoteMember(request: CommandRequest, tools: BotTools): Promise<Answer> {
  const { chatId, say, issuer, key, chat } = request;
  const { memberCommands } = tools.services;
  const { person, rest: title } = await requireMember(request, tools);
  if (isTooLong(title)) {
    throw refuse((_texts, saying) => saying(commandTexts).promote.titleTooLong(maxLabelLength));
  }
  const [shared, target] = await Promise.all([
    readSharedRights(request, tools),
    readMember(chatId, person.telegramId, tools),
  ]);
  throwUnlessEditable(target, person.name);
  if (target?.isPresent !== true) {
    throw refuse((texts) => texts.notHere(person.name));
  }
  requireDone(
    await callTelegram(chatId, tools, (api, id) => api.promote(id, person.telegramId, shared)),
    { right: 'promote', name: person.name },
  );
  memberCommands.rights.forget(chatId);
  const order = { chatId, by: issuer, target: person, reason: title, key };
  const { id } = await memberCommands.record(
    memberCommands.toAction({ ...order, isBasicGroup: chat.type === 'group' }, 'promote'),
  );
  const failure = title === '' ? undefined : await setTitle(request, tools, { person, title });
  const texts = say(commandTexts).promote;
  return {
    text: writeWithPeople((name) => {
      const sentence =
        title === '' || failure !== undefined
          ? texts.done(name(person))
          : texts.withTitle(name(person), title);
      return failure === undefined ? sentence : texts.titleFailed(sentence, failure);
    }),
    buttons: [[{ text: say(commandTexts).undo, data: buttonData('undo', id) }]],
  };
}

/** Returns why Telegram did not take the title; undefined when it did. The member is an administrator in any case. */
async function setTitle(
  { chatId, say }: CommandRequest,
  tools: BotTools,
  { person, title }: { readonly person: Person; readonly title: string },
): Promise<string | undefined> {
  const outcome = await callTelegram(chatId, tools, (api, id) =>
    api.setTitle(id, person.telegramId, title),
  );
  if (outcome.kind === 'done') {
    return undefined;
  }
  try {
    requireDone(outcome, { right: 'promote', name: person.name, label: 'title' });
    return undefined;
  } catch (error) {
    if (error instanceof AppError) {
      return error.sayIn(say);
    }
    throw error;
  }
}

/** Telegram lets the bot change only administrators whom it has made. */
function throwUnlessEditable(target: ChatMember | undefined, name: string): void {
  if (target?.status === 'creator') {
    throw refuse((texts) => texts.administrator(name));
  }
  if (target?.status === 'administrator' && !target.canBeEdited) {
    throw refuse((texts) => texts.notOurs(name));
  }
}

async function demote(request: CommandRequest, tools: BotTools): Promise<Answer> {
  const { chatId, say, issuer, key, chat } = request;
  const { memberCommands } = tools.services;
  const { person } = await requireMember(request, tools);
  const order = { chatId, by: issuer, target: person, reason: '', key };
  const action = memberCommands.toAction(
    { ...order, isBasicGroup: chat.type === 'group' },
    'demote',
  );
  // What this update has done already is not done again.
  if ((await memberCommands.findAction(chatId, action.id)) === undefined) {
    await throwUnlessDemotable(request, tools, person);
    requireDone(
      await callTelegram(chatId, tools, (api, id) => api.promote(id, person.telegramId, [])),
      { right: 'promote', name: person.name },
    );
    memberCommands.rights.forget(chatId);
    await memberCommands.record(action);
  }
  return { text: writeWithPeople((name) => say(commandTexts).promote.demoted(name(person))) };
}

async function throwUnlessDemotable(
  request: CommandRequest,
  tools: BotTools,
  { telegramId, name }: Person,
): Promise<void> {
  const [target] = await Promise.all([
    readMember(request.chatId, telegramId, tools),
    readPromoters(request, tools),
  ]);
  throwUnlessEditable(target, name);
  if (target?.status !== 'administrator') {
    throw refuse((texts) => texts.notAdministrator(name));
  }
}

export const tag: Handler = async (request, tools): Promise<Answer> => {
  const { chatId, say, issuer } = request;
  const { person, rest: label } = await requireTarget(request, tools);
  if (isTooLong(label)) {
    throw refuse((_texts, saying) => saying(commandTexts).tag.tooLong(maxLabelLength));
  }
  await tools.services.memberCommands.rights.requireTarget(chatId, person, issuer.telegramId);
  if (person.telegramId < 0) {
    throw refuse((texts) => texts.channelOnlyBanned);
  }
  const outcome = await callTelegram(chatId, tools, (api, id) =>
    api.setTag(id, person.telegramId, label),
  );
  requireDone(outcome, { right: 'tags', name: person.name, label: 'tag' });
  const texts = say(commandTexts).tag;
  return {
    text: writeWithPeople((name) =>
      label === '' ? texts.removed(name(person)) : texts.done(name(person), label),
    ),
  };
};

/** Without bots and without those who hide their names. No one is notified: names are plain text. */
export const admins: Handler = async ({ chatId, say }, { services }): Promise<Answer> => {
  const texts = say(commandTexts).admins;
  const shown = (await services.memberCommands.rights.list(chatId))
    .filter(({ isBot, isAnonymous }) => !isBot && !isAnonymous)
    .toSorted((one, other) => rank(one) - rank(other));
  return {
    text:
      shown.length === 0
        ? texts.none
        : texts.list(shown.map((member) => sayAdministrator(member, texts)).join('\n')),
  };
};

const rank = ({ status }: ChatMember) => (status === 'creator' ? 0 : 1);

function sayAdministrator(
  { firstName, username, telegramId, status, title }: ChatMember,
  texts: (typeof commandTexts)['admins'],
): string {
  const name = firstName || username || String(telegramId);
  if (status === 'creator') {
    return title === undefined ? texts.creator(name) : texts.creatorWithTitle(name, title);
  }
  return title === undefined ? texts.entry(name) : texts.entryWithTitle(name, title);
}
