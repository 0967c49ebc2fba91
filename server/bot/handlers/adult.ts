/** What is for adults: it works only where the owner of a group has switched it on, and in private for who says to be one. */
import { adultKeepLimits } from '#contract/chats/values';
import {
  type Answer,
  type BotTools,
  buttonData,
  type CommandRequest,
  type Handler,
  type PressHandler,
  type Situation,
  takeLookup,
} from '#server/bot/command';
import { wholeChatId } from '#server/db/chat-values';
import { adultAnswers } from '#server/services/personal-texts';
import { isForumChat } from '#server/upstream/telegram/bot';
import { parseDuration, readSettings, refuse, requireDone, sayExactly } from '#services/members';

import { callTelegram } from './calls.ts';

const refuseWith = (write: (texts: typeof adultAnswers) => string) =>
  refuse((_texts, say) => write(say(adultAnswers)));

/** General is a topic where there are others. */
function toTopic({ chat, topicId }: Situation): number {
  return topicId ?? (isForumChat(chat) ? 0 : wholeChatId);
}

export const nsfwmode: Handler = async (request, tools): Promise<Answer> => {
  const { name: verb, args, chatId, say } = request;
  const texts = say(adultAnswers);
  if (verb === 'nsfwclean') {
    return setClean(request, tools);
  }
  const [, state, all] = /^(on|off)(\s+all)?$/.exec(args.text.trim().toLowerCase()) ?? [];
  if (state === undefined && args.text.trim() !== '') {
    throw refuseWith((answers) => answers.usage);
  }
  if (state !== undefined) {
    if (state === 'on') {
      await tools.services.adultRule.requireClosed(chatId);
    }
    await setMode(request, tools, { isOn: state === 'on', isAll: all !== undefined });
  }
  const { isForAdults } = await readSettings(tools.services.chatValues, chatId);
  return { text: isForAdults(request.topicId ?? 0) ? texts.on : texts.off };
};

type Mode = { readonly isOn: boolean; readonly isAll: boolean };

async function setMode(
  request: CommandRequest,
  { services: { chatValues } }: BotTools,
  { isOn, isAll }: Mode,
): Promise<void> {
  const { chatId } = request;
  const stored = await chatValues.readForBot(chatId);
  const place = isAll ? wholeChatId : toTopic(request);
  const isOnInAll = stored.get(wholeChatId)?.get('adult_mode') === true;
  // A topic is off by itself only where the others are on.
  const off = place !== wholeChatId && isOnInAll ? false : null;
  const others = [...stored]
    .filter(([, values]) => place === wholeChatId && values.has('adult_mode'))
    .map(([topicId]) => [topicId, { adult_mode: null }] as const);
  await chatValues.changeByCommand(
    toChange(request),
    new Map([...others, [place, { adult_mode: isOn ? true : off }]]),
  );
}

const toChange = ({ chatId, chat, issuer }: Situation) =>
  ({ chatId, chatName: chat.title ?? '', by: issuer.telegramId, kind: 'values' }) as const;

async function setClean(request: CommandRequest, { services }: BotTools): Promise<Answer> {
  const { args, chatId, say } = request;
  const typed = args.text.trim();
  if (typed !== '') {
    const seconds = parseDuration(typed);
    const { min, max } = adultKeepLimits;
    if (seconds === undefined || seconds < min || seconds > max) {
      throw refuseWith((texts) => texts.cleanRange);
    }
    await services.chatValues.changeByCommand(
      toChange(request),
      new Map([[wholeChatId, { adult_clean: seconds }]]),
    );
  }
  const { adult_clean: keep } = await readSettings(services.chatValues, chatId);
  return { text: say(adultAnswers).clean(sayExactly(keep, say)) };
}

const confirmVerb = 'adult';

/** How long it stays there; or an answer that asks first. Throws a refusal where it is not switched on. */
async function openGate(request: CommandRequest, tools: BotTools): Promise<number | Answer> {
  const { inGroup, chatId, topicId, issuer, say } = request;
  const { chatValues, personal } = tools.services;
  const texts = say(adultAnswers);
  const settings = await readSettings(chatValues, chatId);
  if (!inGroup && !(await personal.isAdult(issuer.telegramId))) {
    return {
      text: texts.question,
      buttons: [[{ text: texts.confirm, data: buttonData(confirmVerb, 'yes') }]],
    };
  }
  if (inGroup) {
    if (!settings.isForAdults(topicId ?? 0)) {
      throw refuseWith((answers) => answers.notHere);
    }
    await tools.services.adultRule.requireClosed(chatId);
  }
  return settings.adult_clean * 1000;
}

const pressAdult: PressHandler = async ({ issuer, inGroup, say }, { services, offered }) => {
  const texts = say(adultAnswers);
  if (inGroup || !offered.includes('nsfw')) {
    return { notice: texts.notHere };
  }
  await services.personal.confirmAdult(issuer.telegramId);
  return { edit: { text: texts.confirmed } };
};

/** Of the bot, for what Telegram refuses of its messages. */
const context = { right: 'info' } as const;

/**
 * Shows something in a message that says only that it is for adults. When it goes is saved before anything else is in it,
 * so that it goes in time also when the server is killed, or does not hear what Telegram has done.
 */
async function showFor(
  request: CommandRequest,
  tools: BotTools,
  { keepMs, fill }: { readonly keepMs: number; readonly fill: (id: number) => Promise<void> },
): Promise<void> {
  const { chatId, topicId, message, say } = request;
  const { clock } = tools.deps;
  const { deletions } = tools.services;
  const own = message.message_id === 0 ? [] : [message.message_id];
  const outcome = await callTelegram(chatId, tools, (api, id) =>
    api.send({
      chatId: id,
      topicId,
      replyTo: own[0],
      text: say(adultAnswers).question,
      isProtected: true,
    }),
  );
  const { messageId } = requireDone(outcome, context);
  await deletions.deleteLater(chatId, [messageId, ...own], keepMs);
  try {
    await fill(messageId);
  } catch (error) {
    const giveUpAt = clock() + keepMs;
    await deletions.deleteNow([{ chatId, messageId, setting: undefined, giveUpAt }]);
    throw error;
  }
}

const maxCharacter = 100;

export const nsfw: Handler = async (request, tools): Promise<Answer | undefined> => {
  const { args, chatId, topicId } = request;
  const { fetchedMedia } = tools.services;
  const keepMs = await openGate(request, tools);
  if (typeof keepMs !== 'number') {
    return keepMs;
  }
  const character = args.text.trim();
  if (character.length > maxCharacter) {
    throw refuse((texts) => texts.atMostCharacters(maxCharacter));
  }
  await takeLookup(request, tools);
  const url = await fetchedMedia.findForAdults(character);
  await showFor(request, tools, {
    keepMs,
    fill: async (replacesId) => {
      const place = { chatId, topicId, replyTo: undefined, replacesId };
      const { sent } = await fetchedMedia.deliver(place, [{ kind: 'photo', url }], '');
      if (sent === 0) {
        throw refuseWith((texts) => texts.failed);
      }
    },
  });
  return undefined;
};

/** Of a list; a message has room for many. */
const maxTitles = 30;
const maxPage = 9999;

/** Of Telegram, for a message; the cover has to reach to its end. */
const maxLength = 4096;

export const hanime: Handler = async (request, tools): Promise<Answer | undefined> => {
  const { args, chatId } = request;
  const keepMs = await openGate(request, tools);
  if (typeof keepMs !== 'number') {
    return keepMs;
  }
  const typed = args.text.trim();
  const page = typed === '' ? 1 : /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
  if (page < 1 || page > maxPage) {
    throw refuseWith((texts) => texts.pageUsage);
  }
  await takeLookup(request, tools);
  const titles = await tools.services.fetchedMedia.listForAdults(page);
  const text = titles
    .slice(0, maxTitles)
    .map((title) => `• ${Array.from(title).slice(0, maxCharacter).join('')}`)
    .join('\n')
    .slice(0, maxLength)
    .toWellFormed();
  const entities = [{ type: 'spoiler', offset: 0, length: text.length }] as const;
  await showFor(request, tools, {
    keepMs,
    fill: async (messageId) => {
      const edited = await callTelegram(chatId, tools, (api, id) =>
        api.edit({ chatId: id, messageId, text, entities }),
      );
      requireDone(edited, context);
    },
  });
  return undefined;
};

export const adultPresses: Readonly<Record<string, PressHandler>> = { [confirmVerb]: pressAdult };
