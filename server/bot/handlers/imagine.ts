/** Pictures: making them in a chat, better prompts for them, and what the buttons below them do. */
import * as v from 'valibot';

import { readPictureStartParam } from '#contract/chats/bot-links';
import { pictureFieldTexts } from '#contract/endpoints/picture-texts';
import { maxPromptLength } from '#contract/images/limits';
import { ratioNames } from '#contract/images/ratios';
import {
  type Answer,
  type BotTools,
  buttonData,
  type CommandRequest,
  type Handler,
  type Press,
  type PressHandler,
  type PressResult,
  type Situation,
} from '#server/bot/command';
import { getReply } from '#server/bot/reading';
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { pictureMessageTexts } from '#server/services/picture-message-texts';
import {
  pictureVerbs,
  readPictureRef,
  type SendablePicture,
} from '#server/services/picture-messages';
import { type TypedPrompt } from '#server/services/telegram-pictures';
import { anonymousId, refuse } from '#services/members';

import { callTelegram } from './calls.ts';

const day = 24 * 60 * 60_000;
/** How long a better prompt stays in a group whose server has no messages for one person alone. */
const enhancedKeepMs = 10 * 60_000;

const refuseWith = (write: (texts: typeof pictureMessageTexts) => string): AppError =>
  refuse((_texts, say) => write(say(pictureMessageTexts)));

const refuseField = (write: (texts: typeof pictureFieldTexts) => string): AppError =>
  refuse((_texts, say) => write(say(pictureFieldTexts)));

export const imagine: Handler = async (request, tools) => {
  const typed = readTypedPrompt(request, (texts) => texts.howToImagine);
  const { toRequest } = tools.services.telegramPictures;
  requirePerson(request);
  await begin(request, tools, {
    request: await toRequest(typed),
    replyTo: request.message.message_id,
  });
  return undefined;
};

/** Each picture belongs to the history of a user, and counts for their limits. */
function requirePerson({ issuer: { telegramId } }: Pick<Situation, 'issuer'>): void {
  if (telegramId <= 0 || telegramId === anonymousId) {
    throw refuseWith((texts) => texts.asYourself);
  }
}

type Begun = {
  readonly request: Awaited<ReturnType<BotTools['services']['telegramPictures']['toRequest']>>;
  readonly replyTo: number;
};

async function begin(
  { key, chatId, topicId, issuer }: Situation,
  { services: { telegramPictures } }: BotTools,
  { request, replyTo }: Begun,
): Promise<void> {
  const isBegun = await telegramPictures.start({
    ...request,
    key,
    chatId,
    topicId,
    telegramId: issuer.telegramId,
    // An ephemeral message has no ID.
    replyTo: replyTo > 0 ? replyTo : undefined,
  });
  if (!isBegun) {
    throw refuseWith((texts) => texts.stillAtIt);
  }
}

/** Telegram's apps make a dash of two hyphens. */
const option = /(?:^|\s)(?:--|—)(\p{L}[\p{L}-]*)(?=\s|$)/gu;

function readReplied(message: CommandRequest['message']): string {
  const { text, caption } = getReply(message) ?? {};
  return text ?? caption ?? '';
}

/** What is asked for after a command, or in the message that it replies to. */
function readTypedPrompt(
  { args, message }: CommandRequest,
  usage: (texts: typeof pictureMessageTexts) => string,
): TypedPrompt {
  const text = args.text.trim() === '' ? readReplied(message) : args.text;
  const [prompt = '', ...rest] = text.split(option).map((part) => part.trim());
  const options = new Map<string, string>();
  for (let place = 0; place < rest.length; place += 2) {
    options.set((rest[place] ?? '').toLowerCase(), rest[place + 1] ?? '');
  }
  if (prompt === '') {
    throw refuseWith(usage);
  }
  const unknown = [...options.keys()].find((name) => !['ar', 'no', 'seed'].includes(name));
  if (unknown !== undefined) {
    throw refuseWith((texts) => texts.unknownOption(`--${unknown}`));
  }
  const typed = {
    prompt,
    negativePrompt: options.get('no'),
    ratio: options.get('ar')?.replaceAll(/[x×/]/g, ':'),
    seed: options.get('seed'),
  };
  throwUnlessValid(typed);
  return typed;
}

function throwUnlessValid({ prompt, negativePrompt = '', ratio, seed }: TypedPrompt): void {
  if (prompt.length > maxPromptLength || negativePrompt.length > maxPromptLength) {
    throw refuseField((texts) => texts.promptTooLong(maxPromptLength));
  }
  if (ratio !== undefined && !ratioNames.some((name) => name === ratio)) {
    throw refuseWith((texts) => texts.unknownRatio(ratioNames.join(', ')));
  }
  if (seed !== undefined && !/^\d{1,19}$/.test(seed)) {
    throw refuseField((texts) => texts.seedMalformed);
  }
}

const enhancedKind = 'enhanced_prompt';
const enhancedBody = v.object({
  prompt: v.string(),
  negativePrompt: v.optional(v.string()),
  ratio: v.optional(v.string()),
  seed: v.optional(v.string()),
  engine: v.string(),
});
const toEnhancedId = (key: string) => `${enhancedKind}:${key}`;

export const enhance: Handler = async (request, tools): Promise<Answer> => {
  const { key, chatId, issuer, say } = request;
  const typed = readTypedPrompt(request, (texts) => texts.howToEnhance);
  requirePerson(request);
  const { dueJobs, enhancement } = tools.services;
  const { telegramId } = issuer;
  const id = toEnhancedId(key);
  if ((await dueJobs.find(id)) === undefined) {
    const better = await enhancement.enhance(typed.prompt, { telegramId, address: '' }, []);
    await dueJobs.add({
      id,
      // Nothing handles it, so that it ends at its time, and its button with it.
      kind: enhancedKind,
      chatId,
      telegramId,
      body: JSON.stringify({ ...typed, ...better }),
      dueAt: tools.deps.clock() + day,
    });
  }
  const { prompt, engine } = await readEnhanced(key, tools);
  const texts = say(pictureMessageTexts);
  const title = engine === 'offline' ? texts.betterByRules : texts.better(engine);
  return {
    text: `${title}\n\n${prompt}`,
    buttons: [[{ text: texts.buttons.makeIt, data: buttonData(pictureVerbs.make, key) }]],
    keepMs: enhancedKeepMs,
  };
};

async function readEnhanced(key: string, { services: { dueJobs } }: BotTools) {
  const job = await dueJobs.find(toEnhancedId(key));
  const read = job && v.safeParse(enhancedBody, JSON.parse(job.body));
  if (read?.success !== true) {
    throw refuseWith((texts) => texts.promptOver);
  }
  return read.output;
}

const pressMake: PressHandler = async (press, tools): Promise<PressResult> => {
  await requireRoom(press, tools);
  const { engine: _engine, ...typed } = await readEnhanced(press.data, tools);
  const request = await tools.services.telegramPictures.toRequest(typed);
  await begin(press, tools, { request, replyTo: press.messageId });
  return { notice: press.say(pictureMessageTexts).begun };
};

/** A group gets so many answers only, be they asked for by a command or a button. */
async function requireRoom(press: Press, { services: { limiter } }: BotTools): Promise<void> {
  if (press.inGroup) {
    await limiter.take(limits.botCommands, press.chatId);
  }
}

/** In a private chat a picture is its owner's alone; in a group all see it, unless it is for adults. */
async function findPicture(press: Press, tools: BotTools): Promise<SendablePicture> {
  const ref = readPictureRef(press.data);
  const found = ref && (await tools.services.telegramPictures.find(ref));
  const isOthers = found?.owner !== undefined && found.owner !== press.issuer.telegramId;
  if (found === undefined || (isOthers && (!press.inGroup || found.recipe.nsfw))) {
    throw refuseWith((texts) => texts.gone);
  }
  return found;
}

const pressAgain: PressHandler = async (press, tools): Promise<PressResult> => {
  const picture = await findPicture(press, tools);
  await requireRoom(press, tools);
  const request = tools.services.telegramPictures.toRequestAgain(picture);
  if (request === undefined) {
    throw refuseWith((texts) => texts.gone);
  }
  await begin(press, tools, { request, replyTo: press.messageId });
  return { notice: press.say(pictureMessageTexts).begun };
};

/** Who has asked for a picture may stop it, and so may the administrators of the group. */
const pressStop: PressHandler = async (press, tools): Promise<PressResult> => {
  const { chatId, issuer, inGroup, messageId, say } = press;
  const { telegramPictures, memberCommands } = tools.services;
  const owner = Number(press.data);
  const texts = say(pictureMessageTexts);
  const mayStop =
    owner === issuer.telegramId ||
    (inGroup && (await memberCommands.rights.isAdministrator(chatId, issuer.telegramId)));
  if (!mayStop) {
    return { notice: texts.notYours };
  }
  const isStopped = await telegramPictures.stop(chatId, owner, { lineId: messageId });
  return { notice: isStopped ? texts.stopped : texts.notMade };
};

/** In a group the file is for the one who presses alone, or comes in private. */
const pressFile: PressHandler = async (press, tools): Promise<PressResult> => {
  const { chatId, topicId, issuer, inGroup, messageId, id: pressId, say } = press;
  const { telegramPictures, limiter } = tools.services;
  const picture = await findPicture(press, tools);
  await limiter.take(limits.pictureFiles, issuer.telegramId);
  const file = await telegramPictures.readFile(picture);
  const message = { text: '', file };
  const inChat = await callTelegram(chatId, tools, (api, to) =>
    api.sendPicture({
      ...message,
      chatId: to,
      topicId,
      ...(inGroup
        ? { onlyFor: { telegramId: issuer.telegramId, pressId } }
        : { replyTo: messageId }),
    }),
  );
  if (inChat.kind === 'done') {
    return {};
  }
  const inPrivate = await callTelegram(issuer.telegramId, tools, (api, to) =>
    api.sendPicture({ ...message, chatId: to }),
  );
  if (inPrivate.kind === 'later') {
    throw new AppError('telegram_unavailable');
  }
  const texts = say(pictureMessageTexts);
  return { notice: inPrivate.kind === 'done' ? texts.fileInPrivate : texts.startFirst };
};

export const picturePresses: Readonly<Record<string, PressHandler>> = {
  [pictureVerbs.stop]: pressStop,
  [pictureVerbs.again]: pressAgain,
  [pictureVerbs.file]: pressFile,
  [pictureVerbs.make]: pressMake,
};

/** What `/start` says to who follows the link of a picture; undefined for other links. */
export function answerPictureLink({ say, links }: Situation, payload: string): Answer | undefined {
  const read = readPictureStartParam(payload);
  if (read === undefined) {
    return undefined;
  }
  const texts = say(pictureMessageTexts);
  const link = links.toPicture(read.what, read.generationId, false);
  const label = read.what === 'remix' ? texts.buttons.remix : texts.buttons.open;
  return {
    text: read.what === 'remix' ? texts.remixLink : texts.pictureLink,
    buttons: link === undefined ? [] : [[{ text: label, ...link }]],
  };
}
