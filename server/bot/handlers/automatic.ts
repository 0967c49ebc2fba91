/** What the bot does by itself about floods and reactions. */
import { type ChatValues, floodLimits, reactionLimits } from '#contract/chats/values';
import { type Answer, type BotTools, type CommandRequest, type Handler } from '#server/bot/command';
import { commandTexts } from '#server/bot/command-texts';
import { wholeChatId } from '#server/db/chat-values';
import { type Say } from '#server/lib/languages';
import { plainEmoji } from '#services/automatic';
import {
  type ChatSettings,
  parseDuration,
  readSettings,
  refuse,
  sayExactly,
} from '#services/members';

import { readAction } from './warnings.ts';

type Wanted = Readonly<Partial<ChatValues>>;

/** Saves what a command sets, and returns what counts then. */
async function change(
  { chatId, chat, issuer }: CommandRequest,
  { chatValues }: Pick<BotTools['services'], 'chatValues'>,
  wanted: Wanted,
): Promise<ChatSettings> {
  await chatValues.changeByCommand(
    { chatId, chatName: chat.title ?? '', by: issuer.telegramId, kind: 'values' },
    new Map([[wholeChatId, { ...wanted }]]),
  );
  return readSettings(chatValues, chatId);
}

/** Without anything after it, the rule that counts now. The bot needs its rights for what is switched on only. */
export const antiflood: Handler = async (request, { services }): Promise<Answer> => {
  const { say, chatId, args, name: verb } = request;
  const text = args.text.trim().toLowerCase();
  if (text === '') {
    return { text: sayFloodRule(await readSettings(services.chatValues, chatId), say) };
  }
  const wanted = verb === 'floodmode' ? readMode(text) : readFlood(text);
  if (wanted.flood !== 'off') {
    await services.memberCommands.rights.requireBot(chatId, 'delete');
    await services.memberCommands.rights.requireBot(chatId, 'restrict');
  }
  return { text: sayFloodRule(await change(request, services, wanted), say) };
};

function readMode(text: string): Wanted {
  const action = readAction(text);
  if (action === undefined) {
    throw refuse((_texts, say) => say(commandTexts).antiflood.modeUsage);
  }
  return { flood_action: action };
}

/** `8`, `8 10s` or `off`. */
function readFlood(text: string): Wanted {
  if (text === 'off') {
    return { flood: 'off' };
  }
  const [, number, time] = /^(\d{1,4})(?:\s+(\S+))?$/.exec(text) ?? [];
  if (number === undefined) {
    throw refuse((_texts, say) => say(commandTexts).antiflood.usage);
  }
  const count = readNumber(number, floodLimits, 'antiflood');
  return { flood: time === undefined ? { count } : { count, seconds: readSeconds(time) } };
}

function readSeconds(time: string): number {
  const seconds = parseDuration(time) ?? 0;
  if (seconds < 1 || seconds > floodLimits.maxSeconds) {
    throw refuse((_texts, say) => say(commandTexts).antiflood.timeRange);
  }
  return seconds;
}

/** Throws a refusal for a number that is not possible. */
function readNumber(
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
  command: 'antiflood' | 'reactions',
): number {
  const number = Number(text);
  if (number < min || number > max) {
    throw refuse((_texts, say) => say(commandTexts)[command].range(min, max));
  }
  return number;
}

function sayFloodRule({ flood, flood_action: action }: ChatSettings, say: Say): string {
  const texts = say(commandTexts).antiflood;
  if (flood === 'off') {
    return texts.off;
  }
  const rule =
    flood.seconds === undefined
      ? texts.inRow(flood.count)
      : texts.inTime(flood.count, sayExactly(flood.seconds, say));
  if (action.kind === 'kick') {
    return texts.kick(rule);
  }
  const { kind, seconds } = action;
  return seconds === undefined
    ? texts[kind](rule)
    : texts[kind === 'ban' ? 'banForTime' : 'muteForTime'](rule, sayExactly(seconds, say));
}

export const reactions: Handler = async (request, { services }): Promise<Answer> => {
  const { say, chatId, args } = request;
  const settings = await readSettings(services.chatValues, chatId);
  if (args.text.trim() === '') {
    return { text: sayReactionRule(settings, say) };
  }
  const wanted = readReactions(request, settings);
  const isSwitchedOff = wanted.reaction_limit === 'off' || wanted.reactions_of_banned === false;
  if (!isSwitchedOff) {
    await services.memberCommands.rights.requireBot(chatId, 'delete');
  }
  return { text: sayReactionRule(await change(request, services, wanted), say) };
};

function readReactions(
  request: CommandRequest,
  { reactions_unwanted: unwanted }: ChatSettings,
): Wanted {
  const text = request.args.text.trim().toLowerCase();
  const [, verb] = /^(block|allow)\s+\S/.exec(text) ?? [];
  if (verb === 'block') {
    return { reactions_unwanted: addEmoji(unwanted, readEmoji(request)) };
  }
  if (verb === 'allow') {
    const allowed = new Set(readEmoji(request));
    return { reactions_unwanted: unwanted.filter((emoji) => !allowed.has(plainEmoji(emoji))) };
  }
  const [, state] = /^banned\s+(on|off)$/.exec(text) ?? [];
  if (state !== undefined) {
    return { reactions_of_banned: state === 'on' };
  }
  if (text === 'off') {
    return { reaction_limit: 'off' };
  }
  if (!/^\d{1,4}$/.test(text)) {
    throw refuse((_texts, say) => say(commandTexts).reactions.usage);
  }
  return { reaction_limit: readNumber(text, reactionLimits, 'reactions') };
}

function addEmoji(had: readonly string[], added: readonly string[]): string[] {
  const all = [...new Set([...had.map(plainEmoji), ...added])];
  if (all.length > reactionLimits.maxUnwanted) {
    throw refuse((_texts, say) => say(commandTexts).reactions.tooMany(reactionLimits.maxUnwanted));
  }
  return all;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What follows `block` or `allow`: emoji, and custom ones by their IDs. Throws a refusal for anything else. */
function readEmoji({ message, args }: CommandRequest): readonly string[] {
  const start = args.offset + (/^\s*\S+\s*/.exec(args.text)?.[0].length ?? 0);
  let rest = (message.text ?? message.caption ?? '').slice(start);
  const custom: string[] = [];
  const entities = message.entities ?? message.caption_entities ?? [];
  for (const entity of entities.toReversed()) {
    if (entity.type === 'custom_emoji' && entity.offset >= start) {
      const at = entity.offset - start;
      rest = rest.slice(0, at) + rest.slice(at + entity.length);
      custom.unshift(entity.custom_emoji_id);
    }
  }
  const plain = [...graphemes.segment(rest.replaceAll(/\s+/g, ''))].map(({ segment }) => segment);
  if (
    !plain.every((one) => /^\p{RGI_Emoji}$/v.test(one) || /^\p{Extended_Pictographic}/u.test(one))
  ) {
    throw refuse((_texts, say) => say(commandTexts).reactions.usage);
  }
  return [...plain.map(plainEmoji), ...custom];
}

function sayReactionRule(settings: ChatSettings, say: Say): string {
  const texts = say(commandTexts).reactions;
  const { reaction_limit: limit, reactions_unwanted: unwanted, reactions_of_banned } = settings;
  return [
    limit === 'off' ? texts.unlimited : texts.limited(limit),
    unwanted.length === 0 ? texts.noneUnwanted : texts.unwanted(unwanted.join(' ')),
    reactions_of_banned ? texts.ofBanned : texts.notOfBanned,
  ].join('\n');
}
