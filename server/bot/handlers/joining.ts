/** What newcomers are asked, and raid protection: the commands, and the buttons of newcomers. */
import { autoRaidLimits, captchaLimits, captchaModes, raidLimits } from '#contract/chats/values';
import {
  type Answer,
  type BotTools,
  type CommandRequest,
  type Handler,
  type PressHandler,
} from '#server/bot/command';
import { wholeChatId } from '#server/db/chat-values';
import { type Say } from '#server/lib/languages';
import { joiningTexts, sayTime } from '#services/joining';
import {
  type ChatSettings,
  parseDuration,
  readSettings,
  refuse,
  sayExactly,
} from '#services/members';

const toCommander = ({ chatId, chat, issuer }: CommandRequest) => ({
  chatId,
  chatName: chat.title ?? '',
  by: issuer.telegramId,
});

function change(
  request: CommandRequest,
  { services }: BotTools,
  values: Readonly<Record<string, unknown>>,
) {
  return services.chatValues.changeByCommand(
    { ...toCommander(request), kind: 'values' },
    new Map([[wholeChatId, values]]),
  );
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
    await change(request, tools, wanted);
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
    await change(request, tools, { raid_auto: count ?? 'off' });
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
