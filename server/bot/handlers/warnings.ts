/** Warnings and their rules. */
import { rulesPayload } from '#contract/chats/bot-links';
import { expiryLimits, type WarnAction, warnLimits } from '#contract/chats/values';
import { sourceLanguage } from '#contract/languages';
import {
  type Answer,
  type BotTools,
  buttonData,
  type CommandRequest,
  type Handler,
} from '#server/bot/command';
import { commandTexts } from '#server/bot/command-texts';
import { readReason } from '#server/bot/reading';
import { writeWithPeople } from '#server/bot/rich-text';
import { wholeChatId } from '#server/db/chat-values';
import { type Say } from '#server/lib/languages';
import { type MessageButton } from '#server/upstream/telegram/chat-actions';
import {
  anonymousId,
  type ChatSettings,
  isPossibleDuration,
  parseDuration,
  type Person,
  readSettings,
  refuse,
  sayExactly,
} from '#services/members';

import { sayDay } from './days.ts';
import { findTarget, requireTarget } from './people.ts';

/** Also for the button of a report. */
export async function warnPerson(
  order: {
    readonly chatId: number;
    readonly by: Person;
    readonly target: Person;
    readonly reason: string;
    readonly key: string;
    readonly isBasicGroup: boolean;
  },
  { say }: Pick<CommandRequest, 'say'>,
  { services, linksIn }: Pick<BotTools, 'services' | 'linksIn'>,
): Promise<Answer> {
  const { target, reason } = order;
  const result = await services.memberCommands.warnings.warn(order);
  const { count, limit, action, failure, warningId } = result;
  const texts = say(commandTexts);
  const text = writeWithPeople((name) => {
    const counted = texts.warn.count(name(target), count, limit);
    const sentence = reason === '' ? counted : texts.withReason(counted, reason);
    const consequence = action && sayAction(action, name(target), say);
    return [sentence, consequence, failure?.sayIn(say)]
      .filter((part) => part !== undefined)
      .join('\n');
  });
  const data = buttonData('undo', action?.id ?? warningId);
  const label = action === undefined ? texts.warn.withdraw : texts.undo;
  const canUndo = action === undefined || (action.kind !== 'kick' && action.undoneAt === undefined);
  const undo = canUndo ? [{ text: label, data }] : [];
  const row = [...undo, ...(await listRulesButtons(order.chatId, { services, say, linksIn }))];
  return { text, buttons: row.length === 0 ? [] : [row] };
}

/** Who is warned can read what for, where the group has rules. */
async function listRulesButtons(
  chatId: number,
  { services, say, linksIn }: Pick<BotTools, 'services' | 'linksIn'> & Pick<CommandRequest, 'say'>,
): Promise<readonly MessageButton[]> {
  const { rules_content: rules } = await readSettings(services.chatValues, chatId);
  if (rules === undefined) {
    return [];
  }
  const links = linksIn({ language: sourceLanguage, isChosen: false });
  return [{ text: say(commandTexts).warn.rules, ...links.toBot(rulesPayload(chatId)) }];
}

function sayAction(
  { kind, until, at }: { kind: string; until: number | undefined; at: number },
  name: string,
  say: Say,
): string {
  const { ban, mute, kick } = say(commandTexts);
  if (kind === 'kick') {
    return kick(name);
  }
  const texts = kind === 'ban' ? ban : mute;
  return until === undefined
    ? texts.done(name)
    : texts.forTime(name, sayExactly(Math.ceil((until - at) / 1000), say));
}

export const warn: Handler = async (request, tools): Promise<Answer> => {
  const { chatId, chat, issuer, key } = request;
  const { person, rest } = await requireTarget(request, tools);
  const order = {
    chatId,
    by: issuer,
    target: person,
    reason: readReason(rest),
    key,
    isBasicGroup: chat.type === 'group',
  };
  return warnPerson(order, request, tools);
};

export const warns: Handler = async (request, tools): Promise<Answer> => {
  const { name: verb, issuer, say, chatId, key } = request;
  const texts = say(commandTexts).warn;
  const { warnings } = tools.services.memberCommands;
  if (verb === 'warns') {
    return listWarnings(request, tools);
  }
  const { person } = await requireTarget(request, tools);
  const order = { chatId, by: issuer, target: person, key };
  const count = await warnings.withdraw(order, verb === 'unwarn' ? 'last' : 'all');
  return {
    text: writeWithPeople((name) => {
      if (count === 0) {
        return texts.none(name(person));
      }
      return verb === 'unwarn'
        ? texts.takenBack(name(person))
        : texts.allTakenBack(name(person), count);
    }),
  };
};

/** One's own are for anyone, those of others for administrators. */
async function listWarnings(request: CommandRequest, tools: BotTools): Promise<Answer> {
  const { chatId, issuer, say, language } = request;
  const { rights, warnings } = tools.services.memberCommands;
  const texts = say(commandTexts).warn;
  const found = await findTarget(request, tools);
  const person = found?.person ?? issuer;
  const isOwn = person.telegramId === issuer.telegramId;
  if (!isOwn && issuer.telegramId !== anonymousId) {
    await rights.requireUser(chatId, issuer.telegramId, 'restrict');
  }
  const open = await warnings.listOpen(chatId, person.telegramId);
  if (open.length === 0) {
    return {
      text: isOwn ? texts.noneOwn : writeWithPeople((name) => texts.none(name(person))),
    };
  }
  const { warn_limit: limit } = await readSettings(tools.services.chatValues, chatId);
  const entries = open.map(({ reason, givenAt }, index) => {
    const day = sayDay(givenAt, language.language, tools.deps.clock());
    return reason === '' ? texts.entryWithout(index + 1, day) : texts.entry(index + 1, reason, day);
  });
  return {
    text: writeWithPeople((name) =>
      texts.list(name(person), open.length, limit, entries.join('\n')),
    ),
  };
}

/** A number, an action or a time, by the verb. Without anything after it, the rule that counts now. */
export const warnmode: Handler = async (request, tools): Promise<Answer> => {
  const { say, chatId, chat, issuer, args, name: verb } = request;
  const { chatValues } = tools.services;
  const text = args.text.trim().toLowerCase();
  if (text !== '') {
    const wanted = readWanted(verb, text, say);
    await chatValues.changeByCommand(
      { chatId, chatName: chat.title ?? '', by: issuer.telegramId, kind: 'values' },
      new Map([[wholeChatId, wanted]]),
    );
  }
  return { text: sayRule(await readSettings(chatValues, chatId), say) };
};

function readWanted(verb: string, text: string, say: Say): Readonly<Record<string, unknown>> {
  const texts = say(commandTexts).warnRule;
  if (verb === 'warnlimit') {
    const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
    if (limit < warnLimits.min || limit > warnLimits.max) {
      throw refuse((_texts, saying) =>
        saying(commandTexts).warnRule.limitRange(warnLimits.min, warnLimits.max),
      );
    }
    return { warn_limit: limit };
  }
  if (verb === 'warntime') {
    const seconds = text === 'off' ? 'off' : parseDuration(text);
    const isPossible =
      seconds === 'off' ||
      (seconds !== undefined && seconds >= expiryLimits.min && seconds <= expiryLimits.max);
    if (!isPossible) {
      throw refuse((_texts, saying) => saying(commandTexts).warnRule.timeRange);
    }
    return { warn_expiry: seconds };
  }
  const action = readAction(text);
  if (action === undefined) {
    throw refuse(() => texts.modeUsage);
  }
  return { warn_action: action };
}

/** `mute 1d`, `ban` or `kick`. Throws a refusal for an impossible time. */
export function readAction(text: string): WarnAction | undefined {
  const [kind, time, ...others] = text.split(/\s+/);
  if (kind === 'kick' && time === undefined) {
    return { kind };
  }
  if ((kind !== 'mute' && kind !== 'ban') || others.length > 0) {
    return undefined;
  }
  if (time === undefined) {
    return { kind };
  }
  const seconds = parseDuration(time);
  if (seconds !== undefined && !isPossibleDuration(seconds)) {
    throw refuse((texts) => texts.duration);
  }
  return seconds === undefined ? undefined : { kind, seconds };
}

function sayRule(settings: ChatSettings, say: Say): string {
  const texts = say(commandTexts).warnRule;
  const { warn_limit: limit, warn_action: action, warn_expiry: expiry } = settings;
  const rule = sayConsequence(limit, action, say);
  return expiry === 'off' ? texts.stays(rule) : texts.expires(rule, sayExactly(expiry, say));
}

function sayConsequence(limit: number, action: WarnAction, say: Say): string {
  const texts = say(commandTexts).warnRule;
  if (action.kind === 'kick') {
    return texts.kick(limit);
  }
  const { kind, seconds } = action;
  if (seconds === undefined) {
    return texts[kind](limit);
  }
  const write = kind === 'ban' ? texts.banForTime : texts.muteForTime;
  return write(limit, sayExactly(seconds, say));
}
