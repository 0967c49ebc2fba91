/** What the bot says of itself and of pictures that are sent to it, and how it leads people to Nori. */
import { type Message } from 'grammy/types';

import { addedPayload } from '#contract/chats/bot-links';
import { messageTypeLabels } from '#contract/chats/message-type-texts';
import { type UsageLine } from '#contract/commands/command';
import {
  type CommandId,
  commandIds,
  commandTable,
  findCommand,
  isForAdults,
} from '#contract/commands/index';
import { isInlineId } from '#contract/commands/inline';
import { usageTexts } from '#contract/commands/usage-texts';
import { readRecipe } from '#contract/images/recipe-file';
import { type FoundRecipe } from '#contract/images/recipe-text';
import { type Answers } from '#server/bot/answers';
import {
  type Answer,
  type BotTools,
  buttonData,
  type CommandRequest,
  type Handler,
  type PressHandler,
  readLanguage,
  type Situation,
} from '#server/bot/command';
import { commandTexts } from '#server/bot/command-texts';
import { inlineBotTexts } from '#server/bot/inline-texts';
import { describeCommand, withoutAdult } from '#server/bot/menus';
import { botTexts } from '#server/bot/texts';
import { createKeyedSemaphore, type KeyedSemaphore } from '#server/lib/concurrency';
import { AppError } from '#server/lib/errors';
import { joinList, type Say } from '#server/lib/languages';
import { limits, sayDuration } from '#server/lib/limits';
import {
  chatStartParam,
  dashboardPath,
  isChatStartParam,
  type Links,
} from '#server/services/links';
import { isForumChat } from '#server/upstream/telegram/bot';
import { type MessageButton } from '#server/upstream/telegram/chat-actions';
import { readStartParam } from '#services/accounts';
import { noticeTexts, sayDevice } from '#services/accounts';
import { memberTexts, readSettings, refuse } from '#services/members';

import { answerRulesLink } from './greetings.ts';
import { answerPictureLink } from './imagine.ts';
import { inlinePayload, listUsage } from './inline.ts';
import { answerNoteLink } from './words.ts';

export const start: Handler = async (request, tools): Promise<Answer | undefined> => {
  const { args, inGroup, chatId, language, say, links } = request;
  const { menuButtons, services } = tools;
  const payload = args.text;
  const texts = say(botTexts);
  if (inGroup) {
    if (payload === addedPayload) {
      // The link that adds the bot writes this. The answer replaces the bot's own message there.
      await services.limiter.tryTake(limits.groupHints, chatId);
    }
    return answerSettings(request);
  }
  menuButtons.set(chatId, language);
  const content =
    (await answerRulesLink(request, tools, payload)) ??
    (await answerNoteLink(request, tools, payload)) ??
    answerPictureLink(request, payload);
  if (content !== undefined) {
    return content;
  }
  if (isChatStartParam(payload)) {
    const buttons = toRows(texts.openSettings, links.toSettings(payload));
    return { text: texts.chatLink, buttons };
  }
  if (payload === 'link') {
    return answerLink(request);
  }
  if (payload === inlinePayload) {
    return sayInline(request, tools);
  }
  if (payload === privacyPayload) {
    return sayPrivacy(request, tools);
  }
  const code = readStartParam(payload);
  if (code !== undefined) {
    return sendCode(request, tools, code);
  }
  return payload === 'verify'
    ? { text: texts.reachable, buttons: toRows(texts.openNori, links.toPage()) }
    : answerStart(request, tools);
};

/**
 * For a person who follows the link of a page that waits for a code. In a private chat the person is whom the code is
 * for, so that the link gives nothing to another one who opens it.
 */
async function sendCode(
  { chatId: telegramId, language: { language }, say }: CommandRequest,
  { services: { registrations, passwordResets } }: BotTools,
  { kind, attemptHash }: NonNullable<ReturnType<typeof readStartParam>>,
): Promise<Answer | undefined> {
  if (kind === 'reset') {
    await passwordResets.sendByStart(telegramId, attemptHash, language);
    return undefined;
  }
  const isSent = await registrations.sendByStart(telegramId, attemptHash, language);
  return isSent ? undefined : { text: say(botTexts).codeLinkOver };
}

export const settings: Handler = (request): Answer => answerSettings(request);

function answerSettings({ chatId, inGroup, topicId, say, links }: Situation): Answer {
  const texts = say(botTexts);
  if (!inGroup) {
    const buttons = toRows(texts.openNori, links.toPage(dashboardPath));
    return { text: texts.settingsInPrivate, buttons };
  }
  const link = links.toSettingsFromGroup(chatStartParam(chatId, topicId));
  return {
    text: topicId === undefined ? texts.settingsInGroup : texts.settingsInTopic,
    buttons: [[{ text: texts.openSettings, ...link }]],
  };
}

/** In a private chat: leads a user who manages no chat yet to the step that is next. */
async function answerStart(
  { chatId: telegramId, say, links }: Situation,
  { services }: BotTools,
): Promise<Answer> {
  const texts = say(botTexts);
  const [managed, [added]] = await Promise.all([
    services.chats.list(telegramId),
    services.chats.unverified(telegramId),
  ]);
  if (managed.length > 0) {
    return { text: texts.welcome, buttons: toRows(texts.openNori, links.toPage()) };
  }
  if (added !== undefined) {
    const link = links.toSettings(chatStartParam(added.chatId, undefined));
    return { text: texts.groupWaits, buttons: toRows(texts.goOn, link) };
  }
  return {
    text: texts.welcome,
    buttons: [
      ...toRows(texts.setUp, links.toSetUp()),
      ...toRows(texts.addToGroup, links.toGroupList()),
    ],
  };
}

export const link: Handler = (request): Answer => {
  const { inGroup, say, links } = request;
  const { openBot, linkFromGroup } = say(botTexts);
  return inGroup
    ? { text: linkFromGroup, buttons: [[{ text: openBot, ...links.toBot('link') }]] }
    : answerLink(request);
};

function answerLink({ say, links }: Situation): Answer {
  const { openConnections, linkServices } = say(botTexts);
  return { text: linkServices, buttons: toRows(openConnections, links.toPage(dashboardPath)) };
}

function toRows(
  text: string,
  address: ReturnType<Links['toPage']>,
): readonly (readonly MessageButton[])[] {
  return address === undefined ? [] : [[{ text, ...address }]];
}

export const status: Handler = async (request, tools): Promise<Answer> => {
  const { chatId, inGroup, topicId, say } = request;
  const { deps, services, startedAt } = tools;
  const texts = say(botTexts);
  if (!inGroup) {
    const seconds = Math.max(1, Math.floor((deps.clock() - startedAt) / 1000));
    return { text: texts.statusInPrivate(sayDuration(seconds, say)) };
  }
  const blocked = await services.moderation.readBlockedTypes(chatId, topicId ?? 0);
  const labels = blocked.map((type) => say(messageTypeLabels)[type]);
  const list = labels.length === 0 ? texts.nothingBlocked : texts.blocked(joinList(labels, say));
  const place = await readPlace(request, tools);
  return { text: [...place, list].join('\n\n') };
};

/** What the commands for groups need, without what most groups do not want to give. */
const wantedRights = [...new Set(commandIds.flatMap((id) => commandTable[id].right ?? []))].filter(
  (right) => right !== 'promote',
);

/** Whether the bot may delete, what else it lacks, and how fast Telegram answers; one paragraph each. */
async function readPlace(
  { chatId, chat, say }: Situation,
  { deps: { telegram }, services }: BotTools,
): Promise<readonly string[]> {
  const texts = say(botTexts);
  const { rights } = services.memberCommands;
  const began = performance.now();
  try {
    // One call, so that the time is that of one answer.
    const me = (await telegram?.member(chatId, rights.botId))?.member;
    const latency = texts.latency(Math.round(performance.now() - began));
    rights.forget(chatId);
    const missing = wantedRights.filter((right) => me?.rights.has(right) !== true);
    const mayDelete = !missing.includes('delete');
    const names = missing
      // The one has a sentence of its own, the other does not exist where there are no topics.
      .filter((right) => right !== 'delete' && (right !== 'topics' || isForumChat(chat)))
      .map((right) => say(memberTexts).rights[right]);
    return [
      mayDelete ? texts.mayDelete : texts.mayNotDelete,
      ...(names.length === 0 ? [] : [texts.missingRights(joinList(names, say))]),
      latency,
    ];
  } catch (error) {
    if (error instanceof AppError) {
      return [texts.statusUnknown];
    }
    throw error;
  }
}

/** What can be written in any chat. */
const sayInline = ({ say }: CommandRequest, tools: BotTools): Answer => ({
  text: say(inlineBotTexts).help(listUsage(tools.offered.filter(isInlineId), tools, say)),
});

/** The commands of a place: what is for adults is among them only where it is switched on. */
async function listOffered(
  { chatId, topicId, inGroup, issuer }: Situation,
  { offered, services }: BotTools,
): Promise<readonly CommandId[]> {
  if (!offered.some(isForAdults)) {
    return offered;
  }
  const isOn = inGroup
    ? (await readSettings(services.chatValues, chatId)).isForAdults(topicId ?? 0)
    : await services.personal.isAdult(issuer.telegramId);
  return isOn ? offered : withoutAdult(offered);
}

export const help: Handler = async (request, tools): Promise<Answer> => {
  const { args, inGroup, say, links } = request;
  const offered = await listOffered(request, tools);
  const { username } = tools;
  const name = args.text.trim().toLowerCase().replace(/^\//, '');
  if (name !== '') {
    return explain(name, request, offered);
  }
  const lines = offered
    .filter((id) => commandTable[id].where.includes(inGroup ? 'group' : 'private'))
    .map((id) => `/${commandTable[id].names[0]} – ${describeCommand(id, say)}`);
  const address = inGroup ? links.toBot('help') : links.toPage();
  const texts = say(botTexts);
  const keywords = offered.filter(isInlineId).map((id) => commandTable[id].names[0]);
  const inline = say(inlineBotTexts).inHelp(`@${username}`, joinList(keywords, say));
  const list = [lines.join('\n'), ...(keywords.length === 0 ? [] : [inline])];
  return { text: texts.help(list.join('\n\n')), buttons: toRows(texts.openNori, address) };
};

/** One command by any of its names: its description, and how it is used. */
function explain(name: string, { say }: CommandRequest, offered: readonly CommandId[]): Answer {
  const id = findCommand(name);
  if (id === undefined || !offered.includes(id)) {
    const shown = name.slice(0, maxShownLength);
    throw refuse((_texts, saying) => saying(commandTexts).help.unknown(shown));
  }
  const usage = commandTable[id].usage.map((line) => sayUsage(line, say)).join('\n');
  return { text: say(commandTexts).help.one(name, describeCommand(id, say), usage) };
}

const maxShownLength = 32;

function sayUsage(line: UsageLine, say: Say): string {
  if (typeof line === 'string') {
    return line;
  }
  const [sentence, command, other = ''] = line;
  return say(usageTexts)[sentence].replace('{command}', command).replace('{other}', other);
}

const privacyPayload = 'privacy';

export const privacy: Handler = async (request, tools): Promise<Answer> => {
  const { inGroup, say, links } = request;
  if (!inGroup) {
    return sayPrivacy(request, tools);
  }
  const { openBot } = say(botTexts);
  return {
    text: say(commandTexts).privacy.fromGroup,
    buttons: [[{ text: openBot, ...links.toBot(privacyPayload) }]],
  };
};

async function sayPrivacy({ issuer, say }: Situation, { services }: BotTools): Promise<Answer> {
  const texts = say(commandTexts).privacy;
  const isKnown = await services.memberCommands.seenPeople.isKnown(issuer.telegramId);
  const isAnythingKept = isKnown || (await services.personal.isKnown(issuer.telegramId));
  const always = texts.always(isKnown ? texts.known : texts.unknown);
  return {
    text: [always, texts.personal, texts.pictures, texts.recipes].join('\n\n'),
    buttons: isAnythingKept ? [[{ text: texts.forgetMe, data: buttonData('forget', 'me') }]] : [],
  };
}

/** In a private chat, where the one who presses is the one it is about. */
export const pressForget: PressHandler = async ({ issuer, say }, { services }) => {
  await services.memberCommands.seenPeople.forget(issuer.telegramId);
  await services.personal.forget(issuer.telegramId);
  return { edit: { text: say(commandTexts).privacy.allForgotten } };
};

const resetPath = '/reset-password';
/** Where a press comes from: Telegram does not say more. */
const pressCaller = { address: '', userAgent: 'Telegram' };

/** Ends the session that a message told of. Only the user whom it was told may press, and only their own sessions end. */
export const pressDisown: PressHandler = async (press, { services }) => {
  const { chatId, issuer, data: sessionId, say, links } = press;
  const { telegramId } = issuer;
  if (chatId !== telegramId) {
    return { notice: say(botTexts).confirm.over };
  }
  const device = await services.sessions.disown({ telegramId, sessionId });
  if (device !== undefined) {
    const event = { kind: 'session_ended', telegramId, caller: pressCaller } as const;
    await services.accountEvents.record(event);
  }
  const texts = say(noticeTexts);
  const text = device === undefined ? texts.disownedBefore : texts.disowned(sayDevice(device)(say));
  return { edit: { text, buttons: toRows(texts.setPassword, links.toPage(resetPath)) } };
};

const maxPictureBytes = 20 * 1024 * 1024;
/** Each may hold the largest one in memory. */
const maxPicturesAtOnce = 2;
const pictureTypes: ReadonlySet<string | undefined> = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
]);
/** Characters of each prompt, so that both fit into a message. */
const maxShownPrompt = 1800;

/** Returns a function that hears pictures which are sent to the bot in private, and answers with their recipe. */
export function createPictureReceiver(
  answers: Pick<Answers, 'send'>,
  tools: BotTools,
): (message: Message) => Promise<void> {
  const places = createKeyedSemaphore(maxPicturesAtOnce);

  return async (message) => {
    const { chat, from, photo, document, caption = '' } = message;
    const isAlbum = message.media_group_id !== undefined && photo !== undefined;
    const isPicture = photo !== undefined || pictureTypes.has(document?.mime_type);
    if (
      chat.type !== 'private' ||
      from?.is_bot !== false ||
      message.via_bot !== undefined ||
      !isPicture ||
      isAlbum ||
      caption.startsWith('/')
    ) {
      return;
    }
    const language = await readLanguage(chat, from, tools);
    const say = tools.deps.languages.textsIn(language.language);
    const links = tools.linksIn(language);
    const sender = { telegramId: from.id, say, links, places };
    const answer = await readPicture(document, sender, tools);
    await answers.send({ ...answer, chatId: chat.id, replyTo: message.message_id });
  };
}

type Sender = Pick<Situation, 'say' | 'links'> & {
  readonly telegramId: number;
  readonly places: KeyedSemaphore;
};

/** Telegram keeps the texts of documents alone. */
async function readPicture(
  document: Message['document'],
  sender: Sender,
  { deps: { chatActions }, services: { limiter, sentRecipes } }: BotTools,
) {
  const { telegramId, say, places } = sender;
  const texts = say(botTexts).recipe;
  if (document === undefined) {
    return { text: texts.photo };
  }
  if ((document.file_size ?? 0) > maxPictureBytes) {
    return { text: texts.tooLarge };
  }
  try {
    await limiter.take(limits.lookups, telegramId);
    const release = await places.acquire('pictures');
    try {
      const file = await chatActions?.readFile(document.file_id, maxPictureBytes);
      return file?.kind === 'done' && file.result !== undefined
        ? await answerRecipe(readRecipe(file.result), sender, sentRecipes)
        : { text: texts.unread };
    } finally {
      release();
    }
  } catch (error) {
    if (error instanceof AppError) {
      return { text: error.sayIn(say) };
    }
    throw error;
  }
}

async function answerRecipe(
  recipe: FoundRecipe | undefined,
  { telegramId, say, links }: Omit<Sender, 'places'>,
  sentRecipes: BotTools['services']['sentRecipes'],
) {
  const texts = say(botTexts).recipe;
  if (recipe === undefined) {
    return { text: texts.none };
  }
  const id = await sentRecipes.keep(telegramId, recipe);
  const place = id === undefined ? undefined : links.toPicture('recipe', id, false);
  return {
    text: describeRecipe(recipe, say),
    buttons: place === undefined ? [] : [[{ text: texts.remix, ...place }]],
  };
}

function describeRecipe(recipe: FoundRecipe, say: Say): string {
  const texts = say(botTexts).recipe;
  const { prompt, negativePrompt, modelId, seed, width, height } = recipe;
  const model = recipe.modelName ?? modelId;
  const facts = [
    negativePrompt === '' ? '' : texts.negativePrompt(negativePrompt.slice(0, maxShownPrompt)),
    model === undefined ? '' : texts.model(model),
    seed === undefined ? '' : texts.seed(seed),
    width === undefined || height === undefined ? '' : texts.size(width, height),
  ].filter((line) => line !== '');
  return [texts.found, prompt.slice(0, maxShownPrompt), facts.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n')
    .toWellFormed();
}
