/** What the bot does by itself: what it asks of newcomers, raid protection, floods and reactions. */
import {
  type ChatValues,
  floodLimits,
  reactionLimits,
  autoRaidLimits,
  captchaLimits,
  captchaModes,
  raidLimits,
} from '#contract/chats/values';
import {
  type Answer,
  type BotTools,
  type CommandRequest,
  type Handler,
  type PressHandler,
} from '#server/bot/command';
import { commandTexts } from '#server/bot/command-texts';
import { wholeChatId } from '#server/db/chat-values';
import { type Say } from '#server/lib/languages';
import { plainEmoji } from '#services/automatic';
import { joiningTexts, sayTime } from '#services/joining';
import {
  type ChatSettings,
  parseDuration,
  readSettings,
  refuse,
  sayExactly,
} from '#services/members';

import { readAction } from './warnings.ts';

type Wanted = Readonly<Partial<ChatValues>>;

const toCommander = ({ chatId, chat, issuer }: CommandRequest) => ({
  chatId,
  chatName: chat.title ?? '',
  by: issuer.telegramId,
});

/** Saves what a command sets, and returns what counts then. */
async function change(
  request: CommandRequest,
  { chatValues }: Pick<BotTools['services'], 'chatValues'>,
  wanted: Wanted,
): Promise<ChatSettings> {
  await chatValues.changeByCommand(
    { ...toCommander(request), kind: 'values' },
    new Map([[wholeChatId, { ...wanted }]]),
  );
  return readSettings(chatValues, request.chatId);
}

/** Without anything after it, the rule that counts now. The bot needs its rights for what is switched on only. */
export const antiflood: Handler = async (request, { services }): Promise<Answer> => {
  const { say, chatId, args, name: verb } = request;
  const text = args.text.trim().toLowerCase();
  if (text === '') {
    return { text: sayFloodRule(await readSettings(services.chatValues, chatId), say) };
  }
  const wanted = verb === 'floodmode' ? readFloodAction(text) : readFlood(text);
  if (wanted.flood !== 'off') {
    await services.memberCommands.rights.requireBot(chatId, 'delete');
    await services.memberCommands.rights.requireBot(chatId, 'restrict');
  }
  return { text: sayFloodRule(await change(request, services, wanted), say) };
};

function readFloodAction(text: string): Wanted {
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
  return { flood: time === undefined ? { count } : { count, seconds: readFloodSeconds(time) } };
}

function readFloodSeconds(time: string): number {
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

/** Seconds within limits; undefined for what is none. */
function readSeconds(
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const seconds = parseDuration(text);
  return seconds !== undefined && seconds >= min && seconds <= max ? seconds : undefined;
}

/** `/captcha` and `/captchamode` choose what is asked, `/captchatime` how long it may take. */
export const captcha: Handler = async (request, tools): Promise<Answer> => {
  const { name: verb, args, say, chatId } = request;
  const { chatValues } = tools.services;
  const text = args.text.trim().toLowerCase();
  if (text !== '') {
    const wanted = verb === 'captchatime' ? readTime(text) : await readMode(text, request, tools);
    await change(request, tools.services, wanted);
  }
  return { text: sayCaptcha(await readSettings(chatValues, chatId), say) };
};

function readTime(text: string) {
  const seconds = readSeconds(text, captchaLimits);
  if (seconds === undefined) {
    throw refuse((_texts, say) => say(joiningTexts).captcha.timeUsage);
  }
  return { captcha_seconds: seconds };
}

async function readMode(
  text: string,
  { chat, chatId }: CommandRequest,
  { services: { memberCommands } }: BotTools,
) {
  const wanted = text === 'on' ? 'button' : text;
  const mode = captchaModes.find((one) => one === wanted);
  if (mode === undefined) {
    throw refuse((_texts, say) => say(joiningTexts).captcha.usage);
  }
  if (mode !== 'off' && chat.type === 'group') {
    throw refuse((texts) => texts.supergroupOnly);
  }
  if (mode !== 'off') {
    await memberCommands.rights.requireBot(chatId, 'delete');
  }
  if (mode === 'gate') {
    await memberCommands.rights.requireBot(chatId, 'invite');
  }
  return { captcha_mode: mode };
}

function sayCaptcha(settings: ChatSettings, say: Say): string {
  const { captcha_mode: mode, captcha_seconds: seconds, captcha_over: over } = settings;
  const texts = say(joiningTexts).captcha;
  if (mode === 'off') {
    return texts.off;
  }
  const rule = texts[mode](sayExactly(seconds, say));
  if (mode === 'gate') {
    return rule;
  }
  return over === 'kick' ? texts.removed(rule) : texts.stayMuted(rule);
}

/** `/antiraid` switches on, for a time if it says one, or off; `/autoraid` says how many joins do that. */
export const antiraid: Handler = async (request, tools): Promise<Answer> => {
  const { name: verb, args, say, language } = request;
  const { raids } = tools.services.joining;
  const text = args.text.trim().toLowerCase();
  if (verb === 'autoraid') {
    return changeAutomatic(text, request, tools);
  }
  if (text === 'off') {
    await raids.switchOff(toCommander(request));
    return { text: say(joiningTexts).raid.off };
  }
  const seconds = text === '' || text === 'on' ? undefined : readSeconds(text, raidLimits);
  if (seconds === undefined && text !== '' && text !== 'on') {
    throw refuse((_texts, saying) => saying(joiningTexts).raid.usage);
  }
  const until = await raids.switchOn(toCommander(request), seconds);
  const said = sayTime((time) => say(joiningTexts).raid.until(time), {
    time: until,
    now: tools.deps.clock(),
    language: language.language,
  });
  return { text: { text: said.text, entities: said.entities ?? [] } };
};

async function changeAutomatic(
  text: string,
  request: CommandRequest,
  tools: BotTools,
): Promise<Answer> {
  const { min, max } = autoRaidLimits;
  const count = /^\d{1,3}$/.test(text) ? Number(text) : undefined;
  const isPossible = text === 'off' || (count !== undefined && count >= min && count <= max);
  if (text !== '' && !isPossible) {
    throw refuse((_texts, say) => say(joiningTexts).raid.autoUsage(min, max));
  }
  if (text !== '') {
    await change(request, tools.services, { raid_auto: count ?? 'off' });
  }
  const { raid_auto: auto } = await readSettings(tools.services.chatValues, request.chatId);
  const texts = request.say(joiningTexts).raid;
  return { text: auto === 'off' ? texts.autoOff : texts.autoOn(auto), kind: 'quiet' };
}

/** A button of a task, or of the message for all newcomers. */
export const pressCaptcha: PressHandler = async (press, { services }) => {
  const { chatId, issuer, data, say, messageId } = press;
  const texts = say(joiningTexts).answer;
  const who = { chatId, telegramId: issuer.telegramId };
  const answer = await services.joining.answerTask(who, data);
  if (answer.kind === 'passed') {
    // What all see goes by itself.
    return messageId === 0
      ? { notice: texts.passed, edit: { text: texts.passed } }
      : { notice: texts.passed };
  }
  if (answer.kind === 'task') {
    return { answer: { ...toAnswer(answer.message), kind: 'quiet' } };
  }
  if (answer.kind === 'wrong') {
    return { notice: texts.wrong(answer.left), edit: toAnswer(answer.message) };
  }
  return answer.kind === 'stale'
    ? { notice: texts.stale, edit: toAnswer(answer.message) }
    : { notice: texts[answer.kind] };
};

type AskingMessage = Extract<
  Awaited<ReturnType<BotTools['services']['joining']['answerTask']>>,
  { kind: 'task' }
>['message'];

const toAnswer = ({ text, entities = [], buttons = [] }: AskingMessage): Answer => ({
  text: { text, entities },
  buttons,
});
