/** Reads what people type after a command: whom it is about, for how long, and why. */
import { type Chat, type Message, type MessageEntity, type User } from 'grammy/types';

import { type ChatCommandId, findCommand } from '#contract/commands/index';
import {
  anonymousId,
  fullName,
  isPossibleDuration,
  parseDuration,
  type Person,
  refuse,
} from '#services/members';

/** A command as it was typed. */
export type TypedCommand = {
  readonly id: ChatCommandId;
  /** Without the slash, in lower case: the command's own name, an alias or a verb. */
  readonly name: string;
  /** What follows it. */
  readonly args: Args;
};

/** Text and where it begins in its message, so that entities are found. */
type Args = { readonly text: string; readonly offset: number };

/** Forwarded from a channel into the group whose log it is to be. */
const forwardable = 'setlog';

/** What a message says, or what is written below its photo. */
function readText({ text, caption, entities, caption_entities }: Message) {
  return { text: text ?? caption ?? '', entities: entities ?? caption_entities ?? [] };
}

/**
 * The command that a message is; undefined for other messages, and for a command of another bot. Bots get no
 * answer, because two that answer each other would never stop.
 */
export function readCommand(message: Message, username: string): TypedCommand | undefined {
  const { text, entities } = readText(message);
  const entity = entities.find(({ type, offset }) => type === 'bot_command' && offset === 0);
  const length = text.startsWith('/') ? (entity?.length ?? 0) : 0;
  const [typed = '', bot = username] = text.slice(1, length).toLowerCase().split('@');
  const id = findCommand(typed);
  const isOurs = bot.toLowerCase() === username.toLowerCase();
  return id === undefined || !isOurs || isForwarded(message, typed) || isWrittenByBot(message)
    ? undefined
    : { id, name: typed, args: toArgs(text, length) };
}

/** What a channel posts arrives in its group by itself: no one has given a command there. */
function isForwarded({ forward_origin, is_automatic_forward }: Message, name: string): boolean {
  return is_automatic_forward === true || (forward_origin !== undefined && name !== forwardable);
}

/** Whether a message that is no command calls the administrators: `@admin` as a reply. */
export function isCallForAdministrators(message: Message): boolean {
  const { text, entities } = readText(message);
  return (
    getReply(message) !== undefined &&
    message.forward_origin === undefined &&
    !isWrittenByBot(message) &&
    entities.some(
      ({ type, offset, length }) =>
        type === 'mention' && /^@admins?$/i.test(text.slice(offset, offset + length)),
    )
  );
}

/** Anonymous administrators and channels come with a user that Telegram calls a bot. */
function isWrittenByBot({ from, sender_chat, ...message }: Message): boolean {
  return (
    (from?.is_bot === true && sender_chat === undefined) ||
    message.via_bot !== undefined ||
    message.guest_bot_caller_user !== undefined ||
    message.guest_bot_caller_chat !== undefined
  );
}

/** What stands for people in our texts is replaced, so that no one can put another person's name there. */
function toArgs(text: string, commandLength: number): Args {
  const trimmed = text.slice(commandLength).trimStart();
  return {
    text: trimmed.replaceAll(/[\uE000-\uE0FF]/g, '\uFFFD'),
    offset: text.length - trimmed.length,
  };
}

/** Telegram itself, in whose name the posts of a linked channel arrive. */
const telegramId = 777_000;

/** The message that a message replies to, if the writer has chosen it. */
export function getReply({ reply_to_message: reply }: Message) {
  const isImplied =
    reply === undefined ||
    reply.forum_topic_created !== undefined ||
    reply.is_automatic_forward === true ||
    reply.from?.id === telegramId;
  return isImplied ? undefined : reply;
}

/** Opens a message for members of its group. Messages of a basic group, and of a private chat, have no address. */
export function linkToMessage(chat: Chat, messageId: number): string | undefined {
  if (chat.type !== 'supergroup') {
    return undefined;
  }
  const path = chat.username ?? `c/${String(chat.id).replace(/^-100/, '')}`;
  return `https://t.me/${path}/${messageId}`;
}

/** Whom a command is about; a person who is named by @name still has to be found. */
export type NamedTarget =
  | { readonly kind: 'person'; readonly person: Person }
  | { readonly kind: 'id'; readonly telegramId: number }
  | { readonly kind: 'username'; readonly username: string };

/** Reads the target right after the command, else the sender of the message that it replies to. */
export function readTarget(
  message: Message,
  args: Args,
): { readonly target: NamedTarget | undefined; readonly rest: string } {
  const mentioned = findMention(message, args.offset);
  if (mentioned !== undefined) {
    const person = toPerson(mentioned.user);
    return { target: { kind: 'person', person }, rest: args.text.slice(mentioned.length).trim() };
  }
  const [word = ''] = /^\S*/.exec(args.text) ?? [];
  const target = readWord(word);
  return target === undefined
    ? { target: readSender(message), rest: args.text.trim() }
    : { target, rest: args.text.slice(word.length).trim() };
}

function findMention(
  message: Message,
  at: number,
): MessageEntity.TextMentionMessageEntity | undefined {
  return readText(message).entities.find(
    (entity): entity is MessageEntity.TextMentionMessageEntity =>
      entity.type === 'text_mention' && entity.offset === at,
  );
}

function readWord(word: string): NamedTarget | undefined {
  const [, username] = /^@([a-z]\w{3,31})$/i.exec(word) ?? [];
  if (username !== undefined) {
    return { kind: 'username', username };
  }
  return /^(?:\d{5,15}|-100\d{5,13})$/.test(word)
    ? { kind: 'id', telegramId: Number(word) }
    : undefined;
}

/** Who wrote the message that a message replies to. */
function readSender(message: Message): NamedTarget | undefined {
  const reply = getReply(message);
  const person = reply && readWriter(reply);
  return person && { kind: 'person', person };
}

/** Who gives a command. Anonymous administrators have one ID in all groups. */
export function toIssuer({ from, sender_chat: chat, chat: { id } }: Message): Person {
  if (chat !== undefined && chat.id !== id) {
    return { telegramId: chat.id, name: chat.title ?? '' };
  }
  if (chat !== undefined) {
    return { telegramId: anonymousId, name: '' };
  }
  return { telegramId: from?.id ?? 0, name: from === undefined ? '' : fullName(from) };
}

/** A channel, or the group itself for its anonymous administrators, before the user in whose name it came. */
export function readWriter({
  sender_chat: chat,
  from,
}: Pick<Message, 'sender_chat' | 'from'>): Person | undefined {
  if (chat !== undefined) {
    return { telegramId: chat.id, name: chat.title ?? String(chat.id) };
  }
  return from && toPerson(from);
}

/** A deleted account has no name. */
function toPerson(user: User): Person {
  return { telegramId: user.id, name: fullName(user) || String(user.id) };
}

const maxReasonLength = 300;

/**
 * Reads a duration, if the first word is one, and the reason after it. Throws a refusal for a duration that
 * Telegram would take for "for ever", and for a reason that is too long.
 */
export function readTimeAndReason(text: string): {
  readonly seconds: number | undefined;
  readonly reason: string;
} {
  const [word = ''] = /^\S*/.exec(text) ?? [];
  const seconds = parseDuration(word);
  if (seconds !== undefined && !isPossibleDuration(seconds)) {
    throw refuse((texts) => texts.duration);
  }
  return { seconds, reason: readReason(seconds === undefined ? text : text.slice(word.length)) };
}

/** Throws a refusal for a reason that is too long. Line breaks stay. */
export function readReason(text: string): string {
  const [quoted, ...others] = readPhrases(text);
  const reason = isQuoted(text) && others.length === 0 ? (quoted ?? '') : text.trim();
  if (Array.from(reason).length > maxReasonLength) {
    throw refuse((texts) => texts.atMostCharacters(maxReasonLength));
  }
  return reason;
}

const quotes: Readonly<Record<string, string>> = { '"': '"', '“': '”', "'": "'" };

const isQuoted = (text: string) => Object.hasOwn(quotes, text.trim().slice(0, 1));

/**
 * Words, and phrases in quotation marks: `photo "video note"` are two. A backslash makes the mark after it an
 * ordinary one. A quotation mark that is not closed is an ordinary one, too.
 */
export function readPhrases(text: string): readonly string[] {
  const pattern =
    /"((?:[^"\\]|\\[\s\S])*)"|“((?:[^”\\]|\\[\s\S])*)”|(?<=^|\s)'((?:[^'\\]|\\[\s\S])*)'(?=\s|$)|((?:[^\s\\]|\\[\s\S])+)/g;
  return [...text.matchAll(pattern)]
    .map(([, straight, curly, single, word]) => straight ?? curly ?? single ?? word ?? '')
    .map((phrase) => phrase.replaceAll(/\\([\s\S])/g, '$1'))
    .filter((phrase) => phrase !== '');
}

/** What is stored of another command while its button waits: of the message that it replies to, who wrote it and which it is. */
export function withoutOthersWords({
  quote: _quote,
  external_reply: _external,
  reply_to_message: reply,
  ...message
}: Message) {
  const { message_id, date, chat, from, sender_chat, forum_topic_created, is_automatic_forward } =
    reply ?? {};
  const known = { date, chat, from, sender_chat, forum_topic_created, is_automatic_forward };
  return message_id === undefined
    ? message
    : { ...message, reply_to_message: { message_id, ...known } };
}
