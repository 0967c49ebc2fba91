/** Notes, and what the bot says when words are written: answers to them, and notes by their names. */
import { type Message } from 'grammy/types';

import { notePayload, readContentPayload } from '#contract/chats/bot-links';
import { type ContentBody } from '#contract/chats/contents';
import {
  listedName,
  maxTriggerLength,
  type Note,
  readListed,
  readListedName,
  toTriggerKey,
} from '#contract/chats/values';
import { type Answers } from '#server/bot/answers';
import {
  type Answer,
  type BotTools,
  type CommandRequest,
  type Handler,
  type Situation,
} from '#server/bot/command';
import { isCallForAdministrators } from '#server/bot/reading';
import { type UntilStored } from '#server/bot/update-queue';
import { wordTexts } from '#server/bot/word-texts';
import { wholeChatId } from '#server/db/chat-values';
import { createChatRepository } from '#server/db/chats';
import { limits } from '#server/lib/limits';
import { isGroup } from '#server/upstream/telegram/bot';
import { anonymousId, readSettings } from '#services/members';

import { change, joinLines, refuseWith, sayLine } from './blocklist.ts';
import { readBody } from './filters.ts';

const readPeople = ({ from }: Message) => (from === undefined ? [] : [from]);

export const notes: Handler = (request, tools): Promise<Answer> => {
  const { name: verb } = request;
  if (verb === 'save') {
    return saveNote(request, tools);
  }
  if (verb === 'get') {
    return getNote(request, tools);
  }
  return verb === 'clear' ? removeNote(request, tools) : listNotes(request, tools);
};

const toNoteKey = (typed: string): string => toTriggerKey(typed.replace(/^#/, ''));

const isNoteKey = (key: string): boolean => readListedName(listedName('note', key)) !== undefined;

const tagPattern = /[^\S\n]*\{(private|admin|protect)\}/giu;

/** Takes out of a text what says how a note is shown; its formatting moves along. */
function takeTags(body: ContentBody): { readonly body: ContentBody; readonly tags: Set<string> } {
  const matches = [...body.text.matchAll(tagPattern)];
  const countBefore = (position: number) =>
    matches.reduce(
      (sum, { 0: tag, index }) => sum + Math.max(0, Math.min(position - index, tag.length)),
      0,
    );
  const text = body.text.replaceAll(tagPattern, '');
  const indent = text.length - text.trimStart().length;
  const trimmed = text.trim();
  const toPosition = (position: number) =>
    Math.min(Math.max(position - countBefore(position) - indent, 0), trimmed.length);
  const entities = body.entities.flatMap((entity) => {
    const offset = toPosition(entity.offset);
    const length = toPosition(entity.offset + entity.length) - offset;
    return length > 0 ? [Object.assign({}, entity, { offset, length })] : [];
  });
  const tags = new Set(matches.map(([, tag = '']) => tag.toLowerCase()));
  return { body: { ...body, text: trimmed, entities }, tags };
}

async function saveNote(request: CommandRequest, tools: BotTools): Promise<Answer> {
  const { args, chatId, say, key: updateKey } = request;
  const [whole = '', typed = ''] = /^\s*(\S+)/u.exec(args.text) ?? [];
  if (typed === '') {
    throw refuseWith((texts) => texts.notes.usage);
  }
  const key = toNoteKey(typed);
  if (!isNoteKey(key)) {
    throw refuseWith((texts) => texts.notes.badName);
  }
  const written = readBody(request, tools, { kind: 'note', readTo: whole.length });
  const { body, tags } = takeTags(written ?? { text: '', entities: [], buttons: [] });
  if (body.text === '' && body.media === undefined) {
    throw refuseWith((texts) => texts.notes.usage);
  }
  const note: Note = {
    content: await tools.services.contents.save(chatId, body, updateKey),
    ...(tags.has('private') ? { isPrivate: true } : {}),
    ...(tags.has('admin') ? { isForAdmins: true } : {}),
    ...(tags.has('protect') ? { isProtected: true } : {}),
  };
  await change(request, tools, new Map([[wholeChatId, { [listedName('note', key)]: note }]]));
  return { text: say(wordTexts).notes.saved(key) };
}

const readNotes = async (chatId: number, { services }: BotTools) =>
  readListed((await services.chatValues.readForBot(chatId)).get(wholeChatId) ?? [], 'note');

async function removeNote(request: CommandRequest, tools: BotTools): Promise<Answer> {
  const { args, chatId, say } = request;
  const key = toNoteKey(args.text.trim());
  if (key === '') {
    throw refuseWith((texts) => texts.notes.clearUsage);
  }
  if (!(await readNotes(chatId, tools)).has(key)) {
    throw refuseWith((texts) => texts.notes.unknown(key.slice(0, maxTriggerLength)));
  }
  await change(request, tools, new Map([[wholeChatId, { [listedName('note', key)]: null }]]));
  return { text: say(wordTexts).notes.removed(key) };
}

async function listNotes(request: CommandRequest, tools: BotTools): Promise<Answer> {
  const { chatId, say } = request;
  const isAdministrator = await isTrusted(request, tools);
  const texts = say(wordTexts);
  const lines = [...(await readNotes(chatId, tools))]
    .filter(([, { isForAdmins }]) => isForAdmins !== true || isAdministrator)
    .map(([key, { isForAdmins }]) =>
      sayLine(`#${key}`, isForAdmins === true ? [texts.notes.forAdmins] : [], say),
    );
  return { text: lines.length === 0 ? texts.notes.none : texts.notes.list(joinLines(lines, say)) };
}

async function isTrusted(
  { chatId, issuer }: Pick<Situation, 'chatId' | 'issuer'>,
  { services: { memberCommands } }: BotTools,
): Promise<boolean> {
  const { telegramId } = issuer;
  return telegramId === anonymousId || memberCommands.rights.isAdministrator(chatId, telegramId);
}

async function getNote(request: CommandRequest, tools: BotTools): Promise<Answer> {
  const key = toNoteKey(request.args.text.trim());
  if (key === '') {
    throw refuseWith((texts) => texts.notes.getUsage);
  }
  const answer = await showNote(request, tools, key);
  if (answer === undefined) {
    throw refuseWith((texts) => texts.notes.unknown(key.slice(0, maxTriggerLength)));
  }
  return answer;
}

type NoteRequest = Situation & { readonly message: Message };

/** Undefined where there is none, or none for this person. */
async function showNote(
  request: NoteRequest,
  tools: BotTools,
  key: string,
): Promise<Answer | undefined> {
  const { chatId, say, links } = request;
  const note = (await readNotes(chatId, tools)).get(key);
  if (note === undefined || (note.isForAdmins === true && !(await isTrusted(request, tools)))) {
    return undefined;
  }
  if (note.isPrivate === true) {
    const texts = say(wordTexts).notes;
    const toNote = links.toBot(notePayload(chatId, key));
    return { text: texts.inPrivate(key), buttons: [[{ text: texts.read, ...toNote }]] };
  }
  const written = await writeNote({ chatId, note }, request, tools);
  return written && { ...written, kind: 'public' };
}

async function writeNote(
  { chatId, note: { content, isProtected } }: { readonly chatId: number; readonly note: Note },
  { message }: Pick<NoteRequest, 'message'>,
  { services: { contents } }: BotTools,
): Promise<Answer | undefined> {
  const body = await contents.find(chatId, content);
  if (body === undefined) {
    return undefined;
  }
  const people = readPeople(message);
  const { text, entities, ...written } = await contents.write(chatId, body, { people });
  return {
    ...written,
    text: { text, entities },
    ...(isProtected === true ? { isProtected } : {}),
  };
}

/**
 * In a private chat, by a link of a group: a note, for those who are in the group. Undefined for another payload of
 * /start.
 */
export async function answerNoteLink(
  request: CommandRequest,
  tools: BotTools,
  payload: string,
): Promise<Answer | undefined> {
  const shown = readContentPayload(payload);
  if (shown?.kind !== 'note') {
    return undefined;
  }
  const found = await findLinkedNote(shown, request, tools);
  const answer = found && (await writeNote(found, request, tools));
  return answer ?? { text: request.say(wordTexts).notes.notForYou };
}

type LinkedNote = Extract<ReturnType<typeof readContentPayload>, { kind: 'note' }>;

/** Undefined where it is gone, and for those whom it is not for. Throws a refusal when Telegram does not say who they are. */
async function findLinkedNote(
  { chatId: givenId, isKey }: LinkedNote,
  { issuer }: CommandRequest,
  tools: BotTools,
) {
  const { telegram, database } = tools.deps;
  const chatId = await createChatRepository(database.db).currentId(givenId);
  const [, note] = [...(await readNotes(chatId, tools))].find(([key]) => isKey(key)) ?? [];
  if (note === undefined || telegram === undefined) {
    return undefined;
  }
  const { member } = await telegram.member(chatId, issuer.telegramId);
  const isAdministrator = member.status === 'administrator' || member.status === 'creator';
  return member.isPresent && (note.isForAdmins !== true || isAdministrator)
    ? { chatId, note }
    : undefined;
}

const hashtagPattern = /^#([\p{L}\p{N}_-]{1,32})(?![\p{L}\p{N}_-])/u;

/** The name of a note that a message begins with. */
function readHashtag(message: Message): string | undefined {
  const { text = '', entities = [] } = message;
  const isHashtag = entities.some(({ type, offset }) => type === 'hashtag' && offset === 0);
  const [, name] = (isHashtag ? hashtagPattern.exec(text) : undefined) ?? [];
  return name && toNoteKey(name);
}

type WordTools = {
  readonly answers: Answers;
  readonly untilStored: UntilStored;
  readonly toSituation: (heard: HeardWords) => Promise<Situation>;
};

type HeardWords = {
  readonly message: Message;
  readonly key: string;
  readonly verdict: Promise<'stays' | 'goes'>;
};

/** Returns a function that answers a message of a group that is no command and stays. */
export function createWordAnswers(
  { answers, untilStored, toSituation }: WordTools,
  tools: BotTools,
): (heard: HeardWords) => Promise<void> {
  const { contents, filters: found, limiter, chatValues } = tools.services;

  async function answerFilter({ message }: HeardWords): Promise<boolean> {
    const chatId = message.chat.id;
    const filter = await untilStored(() => found.find(message));
    const body = filter && (await untilStored(() => contents.find(chatId, filter.contentId)));
    if (body === undefined) {
      return false;
    }
    if (await untilStored(() => limiter.tryTake(limits.wordAnswers, chatId))) {
      await untilStored(() =>
        contents.send(chatId, body, {
          people: readPeople(message),
          chatName: message.chat.title,
          topicId: message.is_topic_message === true ? message.message_thread_id : undefined,
          replyTo: message.message_id,
        }),
      );
    }
    return true;
  }

  async function findNote(heard: HeardWords, name: string) {
    const request = { ...(await toSituation(heard)), message: heard.message };
    const { chatId, topicId = 0 } = request;
    const isOff = (await readSettings(chatValues, chatId)).isOff('notes', topicId);
    const answer =
      isOff && !(await isTrusted(request, tools))
        ? undefined
        : await showNote(request, tools, name);
    return answer && { request, answer };
  }

  async function answerNote(heard: HeardWords): Promise<void> {
    const { message } = heard;
    const name = readHashtag(message);
    const note = name === undefined ? undefined : await untilStored(() => findNote(heard, name));
    if (
      note !== undefined &&
      (await untilStored(() => limiter.tryTake(limits.wordAnswers, message.chat.id)))
    ) {
      const { kind = 'quiet' } = note.answer;
      await answers.give(note.request, { ...note.answer, kind }, { command: message });
    }
  }

  return async (heard) => {
    if (canAnswer(heard.message) && (await heard.verdict) === 'stays') {
      if (!(await answerFilter(heard))) {
        await answerNote(heard);
      }
    }
  };
}

/** Of a group, by a person or a channel that writes there, and no command, be it one of another bot. */
function canAnswer(message: Message): boolean {
  const { chat, from, sender_chat: channel, is_automatic_forward: isPost } = message;
  const entities = message.entities ?? message.caption_entities ?? [];
  const isCommand = entities.some(({ type, offset }) => type === 'bot_command' && offset === 0);
  const isByBot = from?.is_bot === true && channel === undefined;
  return (
    isGroup(chat) &&
    !isCommand &&
    !isCallForAdministrators(message) &&
    !isByBot &&
    isPost !== true &&
    message.message_id !== 0
  );
}
