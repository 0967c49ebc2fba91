/** What people have the bot keep for them: reminders, that they are away, and packs of their own stickers. */
import { type Message, type Sticker } from 'grammy/types';

import { type Answers } from '#server/bot/answers';
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
import { commandTexts } from '#server/bot/command-texts';
import { getReply, linkToMessage, readCommand, readPhrases } from '#server/bot/reading';
import { type UntilStored } from '#server/bot/update-queue';
import { limits, personalRules, sayDuration } from '#server/lib/limits';
import { personalTexts } from '#server/services/personal-texts';
import { readPackOwner, type StickerSource } from '#server/services/stickers';
import { isGroup } from '#server/upstream/telegram/bot';
import {
  type ActionOutcome,
  type ChatActions,
  type StickerFormat,
} from '#server/upstream/telegram/chat-actions';
import {
  anonymousId,
  fullName,
  parseDuration,
  type Person,
  refuse,
  requireDone,
  sayExactly,
} from '#services/members';

import { callOnce, callTelegram } from './calls.ts';

/** Throws a refusal for those who hide who they are. */
function requirePerson({ issuer }: Pick<Situation, 'issuer'>): Person {
  if (issuer.telegramId <= 0 || issuer.telegramId === anonymousId) {
    throw refuse((_texts, say) => say(personalTexts).anonymous);
  }
  return issuer;
}

const refuseReminder = (write: (texts: (typeof personalTexts)['reminders']) => string) =>
  refuse((_texts, say) => write(say(personalTexts).reminders));

export const remind: Handler = async (request, tools): Promise<Answer> => {
  const { telegramId } = requirePerson(request);
  const { name: verb, args, chat, chatId, topicId, message, key, say } = request;
  if (verb === 'reminders') {
    return listReminders(request, tools);
  }
  const [word = ''] = /^\S*/.exec(args.text) ?? [];
  const seconds = parseDuration(word);
  const text = args.text.slice(word.length).trim();
  const reply = getReply(message);
  if (seconds === undefined || (text === '' && reply === undefined)) {
    throw refuseReminder((texts) => texts.usage);
  }
  const ms = seconds * 1000;
  if (ms < personalRules.minReminderMs || ms > personalRules.maxReminderMs) {
    throw refuseReminder((texts) => texts.range);
  }
  if (Array.from(text).length > personalRules.maxReminderText) {
    throw refuse((texts) => texts.atMostCharacters(personalRules.maxReminderText));
  }
  await tools.services.reminders.add({
    key,
    telegramId,
    chatId,
    topicId,
    text,
    message: reply && { id: reply.message_id, link: linkToMessage(chat, reply.message_id) },
    dueAt: tools.deps.clock() + ms,
  });
  return { text: say(personalTexts).reminders.added(sayExactly(seconds, say)) };
};

const buttonsInRow = 3;
/** Of a reminder in the list. */
const maxShown = 80;
const removeVerb = 'unremind';

/** In a group those that are due there: others may read the answer. */
async function listReminders(
  { issuer, inGroup, chatId, say }: Situation,
  { deps, services }: BotTools,
): Promise<Answer> {
  const texts = say(personalTexts).reminders;
  const all = await services.reminders.list(issuer.telegramId);
  const shown = all.filter((one) => !inGroup || one.chatId === chatId);
  if (shown.length === 0) {
    return { text: texts.none };
  }
  const entries = shown.map(({ text, dueAt }, at) => {
    const seconds = Math.max(1, Math.ceil((dueAt - deps.clock()) / 1000));
    const what = Array.from(text).slice(0, maxShown).join('') || texts.message;
    return texts.entry(at + 1, sayDuration(seconds, say), what);
  });
  const buttons = shown.map(({ id }, at) => ({
    text: texts.delete(at + 1),
    data: buttonData(removeVerb, id),
  }));
  return {
    text: texts.list(entries.join('\n')),
    buttons: Array.from({ length: Math.ceil(buttons.length / buttonsInRow) }, (_one, row) =>
      buttons.slice(row * buttonsInRow, (row + 1) * buttonsInRow),
    ),
  };
}

/** Where all see the list, others press its buttons, too. */
async function pressRemove(press: Press, tools: BotTools): Promise<PressResult> {
  const { issuer, data, say } = press;
  const isRemoved = await tools.services.reminders.remove(issuer.telegramId, data);
  return isRemoved
    ? { edit: await listReminders(press, tools) }
    : { notice: say(personalTexts).reminders.notYours };
}

export const afk: Handler = async (request, { services }): Promise<Answer> => {
  const { telegramId, name } = requirePerson(request);
  const { args, say } = request;
  const { maxReason } = personalRules;
  const [quoted, ...others] = readPhrases(args.text);
  const isOnePhrase = others.length === 0 && /^["“']/.test(args.text);
  const reason = (isOnePhrase ? (quoted ?? '') : args.text).trim();
  if (Array.from(reason).length > maxReason) {
    throw refuse((texts) => texts.atMostCharacters(maxReason));
  }
  await services.away.begin(telegramId, reason);
  const text = say(personalTexts).away.set(name);
  return { text: reason === '' ? text : say(commandTexts).withReason(text, reason) };
};

export const personalPresses: Readonly<Record<string, PressHandler>> = {
  [removeVerb]: pressRemove,
};

type HeardMessage = {
  readonly message: Message;
  readonly key: string;
  readonly verdict: Promise<'stays' | 'goes'>;
};

type AwayTools = {
  readonly username: string;
  readonly answers: Answers;
  readonly untilStored: UntilStored;
  readonly toSituation: (heard: HeardMessage) => Promise<Situation>;
};

/** How many @names of a message are looked up. */
const maxMentions = 5;

/**
 * Returns a function that says who is away when a message of a group that stays names them or replies to them, and
 * welcomes who writes again.
 */
export function createAwayAnswers(
  { username, answers, untilStored, toSituation }: AwayTools,
  { deps, services }: BotTools,
): (heard: HeardMessage) => Promise<void> {
  const { away, limiter, memberCommands } = services;

  async function give(heard: HeardMessage, write: (situation: Situation) => string): Promise<void> {
    const { message } = heard;
    if (await untilStored(() => limiter.tryTake(limits.wordAnswers, message.chat.id))) {
      const situation = await untilStored(() => toSituation(heard));
      await answers.give(situation, { text: write(situation), kind: 'tidy' }, { command: message });
    }
  }

  /** By ID. */
  async function listNamed(message: Message): Promise<ReadonlyMap<number, string>> {
    const { text = '', entities = [], caption = text, caption_entities = entities } = message;
    const named = new Map<number, string>();
    const reply = getReply(message);
    if (reply?.from !== undefined && reply.sender_chat === undefined) {
      named.set(reply.from.id, fullName(reply.from));
    }
    for (const entity of caption_entities.slice(0, maxMentions)) {
      if (entity.type === 'text_mention') {
        named.set(entity.user.id, fullName(entity.user));
      } else if (entity.type === 'mention') {
        const typed = caption.slice(entity.offset + 1, entity.offset + entity.length);
        const person = await memberCommands.seenPeople.findByUsername(typed);
        if (person !== undefined) {
          named.set(person.telegramId, person.firstName);
        }
      }
    }
    return named;
  }

  async function tellWhoIsAway(heard: HeardMessage, writerId: number): Promise<void> {
    const named = await untilStored(() => listNamed(heard.message));
    const ids = [...named.keys()].filter((id) => id !== writerId);
    const found = ids.length === 0 ? [] : await untilStored(() => away.findUntold(ids, writerId));
    if (found.length === 0) {
      return;
    }
    const order = (one: { readonly telegramId: number }) => ids.indexOf(one.telegramId);
    await give(heard, ({ say }) =>
      found
        .toSorted((one, other) => order(one) - order(other))
        .map(({ telegramId, since, reason }) => {
          const seconds = Math.max(1, Math.ceil((deps.clock() - since) / 1000));
          const text = say(personalTexts).away.notice(
            named.get(telegramId) ?? '',
            sayDuration(seconds, say),
          );
          return reason === '' ? text : say(commandTexts).withReason(text, reason);
        })
        .join('\n'),
    );
  }

  return async (heard) => {
    const { message, verdict } = heard;
    const { chat, from, sender_chat: channel } = message;
    const command = readCommand(message, username);
    const isHeard =
      isGroup(chat) && from?.is_bot === false && channel === undefined && command?.id !== 'afk';
    if (!isHeard || (await verdict) === 'goes') {
      return;
    }
    if (await untilStored(() => away.end(from.id))) {
      await give(heard, ({ say }) => say(personalTexts).away.back(fullName(from)));
    }
    if (command === undefined) {
      await tellWhoIsAway(heard, from.id);
    }
  };
}

const refuseSticker = (write: (texts: (typeof personalTexts)['stickers']) => string) =>
  refuse((_texts, say) => write(say(personalTexts).stickers));

function toFormat({ is_animated, is_video }: Sticker): StickerFormat {
  return is_animated ? 'animated' : is_video ? 'video' : 'static';
}

/** Telegram takes the largest size of a photo as any other. */
function readSource(reply: Partial<Message> | undefined): StickerSource | undefined {
  const { sticker, photo, document } = reply ?? {};
  if (sticker !== undefined) {
    return sticker.type === 'regular'
      ? { kind: 'sticker', fileId: sticker.file_id, format: toFormat(sticker) }
      : undefined;
  }
  const isPicture = /^image\/(?:png|jpeg|webp)$/.test(document?.mime_type ?? '');
  const fileId = photo?.at(-1)?.file_id ?? (isPicture ? document?.file_id : undefined);
  return fileId === undefined ? undefined : { kind: 'picture', fileId };
}

const usualEmoji = '🙂';
const emojiPattern = /\p{RGI_Emoji}/v;

export const sticker: Handler = async (request, tools): Promise<Answer | undefined> => {
  const person = requirePerson(request);
  const { name: verb, message } = request;
  const reply = getReply(message);
  if (verb === 'getsticker') {
    return sendAsFile(request, tools, reply?.sticker);
  }
  if (verb === 'unkang') {
    return removeFromPack(request, tools, { person, found: reply?.sticker });
  }
  return addToPack(request, tools, { person, reply });
};

/** Telegram cuts longer titles off. */
const maxTitle = 64;

async function addToPack(
  request: CommandRequest,
  tools: BotTools,
  { person, reply }: { readonly person: Person; readonly reply: Message | undefined },
): Promise<Answer> {
  const { args, say } = request;
  const { services, username } = tools;
  const texts = say(personalTexts).stickers;
  const source = readSource(reply);
  if (source === undefined) {
    throw refuseSticker((all) => all.usage);
  }
  const emoji = emojiPattern.exec(args.text)?.[0] ?? reply?.sticker?.emoji ?? usualEmoji;
  const title = Array.from(texts.title(person.name)).slice(0, maxTitle).join('');
  const { telegramId } = person;
  const prepared = await callApart(tools, (api) =>
    services.stickers.prepare(api, telegramId, source),
  );
  throwRefused(prepared);
  const fileId = requireDone(prepared, { right: 'info' });
  const format = source.kind === 'sticker' ? source.format : 'static';
  let setName = '';
  const outcome = await callOnce(request, tools, {
    isRepeatable: false,
    make: async (api) => {
      const order = { telegramId, username, fileId, format, emoji, title };
      const added = await services.stickers.add(api, order);
      if (added.kind !== 'done') {
        return added;
      }
      setName = added.result;
      return { kind: 'done', result: true };
    },
  });
  throwRefused(outcome);
  requireDone(outcome, { right: 'info' });
  const url = `https://t.me/addstickers/${setName}`;
  return {
    text: texts.added,
    buttons: setName === '' ? [] : [[{ text: texts.open, url, opens: 'link' }]],
  };
}

/** What sends nothing to a chat. It takes its time with a large file, in which the chat's messages do not wait. */
const callApart = <T>(
  { deps: { chatActions } }: BotTools,
  make: (api: ChatActions) => Promise<ActionOutcome<T>>,
): Promise<ActionOutcome<T>> =>
  chatActions === undefined
    ? Promise.resolve({ kind: 'later', retryAfterS: undefined })
    : make(chatActions);

function throwRefused(outcome: ActionOutcome<unknown>): void {
  if (outcome.kind === 'refused' && outcome.why === 'not started') {
    throw refuseSticker((texts) => texts.start);
  }
  if (outcome.kind === 'refused' && /^(?:set|no set)/.test(outcome.why)) {
    throw refuseSticker((texts) => texts.full);
  }
}

async function removeFromPack(
  request: CommandRequest,
  tools: BotTools,
  { person, found }: { readonly person: Person; readonly found: Sticker | undefined },
): Promise<Answer> {
  const setName = found?.set_name ?? '';
  if (found === undefined || readPackOwner(setName, tools.username) !== person.telegramId) {
    throw refuseSticker((texts) => texts.notYours);
  }
  const outcome = await callOnce(request, tools, {
    isRepeatable: true,
    make: (api) => api.removeSticker(found.file_id),
  });
  if (outcome.kind === 'refused' && outcome.why === 'no set') {
    throw refuseSticker((texts) => texts.notYours);
  }
  requireDone(outcome, { right: 'info' });
  await tools.services.stickers.noteRemoved(person.telegramId, setName);
  return { text: request.say(personalTexts).stickers.removed };
}

const maxStickerBytes = 2 * 1024 * 1024;

async function sendAsFile(
  request: CommandRequest,
  tools: BotTools,
  found: Sticker | undefined,
): Promise<undefined> {
  const { chatId, topicId, message } = request;
  if (found === undefined) {
    throw refuseSticker((texts) => texts.usage);
  }
  if (found.is_animated) {
    throw refuseSticker((texts) => texts.noPicture);
  }
  const read = await callApart(tools, (api) => api.readFile(found.file_id, maxStickerBytes));
  const bytes = requireDone(read, { right: 'info' });
  if (bytes === undefined) {
    throw refuse((texts) => texts.fileLost);
  }
  const file = found.is_video
    ? { name: 'sticker.webm', bytes }
    : { name: 'sticker.png', bytes: await tools.services.stickers.toPng(bytes) };
  const replyTo = message.message_id === 0 ? undefined : message.message_id;
  const sent = await callTelegram(chatId, tools, (api, id) =>
    api.sendFiles({ chatId: id, topicId, replyTo, text: '', files: [{ kind: 'document', file }] }),
  );
  requireDone(sent, { right: 'info' });
  return undefined;
}
