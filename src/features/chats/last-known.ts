/**
 * The last known settings of a user's chats, stored on the device: a chat that is opened again is shown
 * at once, and the server's answer replaces it. Logging out removes the key.
 */
import * as v from 'valibot';

import { type Chat, type Settings } from '#contract/endpoints/chats';
import { chatId } from '#contract/endpoints/endpoint';
import { getSession } from '#lib/session';
import { storedValue } from '#lib/storage';

const maxChats = 5;
/** In characters, so that the other features find room on the device. */
const maxLength = 200_000;

/** A topic's settings as one character for each of the chat's names, as a chat may have hundreds of topics. */
const marks = { blocked: '1', allowed: '0', absent: '-' } as const;

const knownChat = v.object({
  chat_id: chatId,
  chat_name: v.string(),
  is_demo: v.boolean(),
  topic_names: v.record(v.string(), v.string()),
  /** The names of all settings. */
  names: v.array(v.string()),
  topics: v.record(v.pipe(v.string(), v.regex(/^\d+$/)), v.pipe(v.string(), v.regex(/^[01-]*$/))),
});
type KnownChat = v.InferOutput<typeof knownChat>;

/** Whose they are, and the chats, the last opened first. */
const stored = storedValue(
  'nori_last_known_chats',
  v.object({ user: v.string(), chats: v.pipe(v.array(knownChat), v.maxLength(maxChats)) }),
);

/** The logged-in user, if the device knows who it is. */
function getUser(): string | undefined {
  const session = getSession();
  return session.status === 'member' ? session.telegramId : undefined;
}

function readAll(): readonly KnownChat[] {
  const user = getUser();
  const value = user === undefined ? undefined : stored.read();
  return value?.user === user ? (value?.chats ?? []) : [];
}

function writeAll(chats: readonly KnownChat[]): void {
  const user = getUser();
  if (user === undefined) {
    return;
  }
  const kept = chats.slice(0, maxChats);
  while (JSON.stringify(kept).length > maxLength) {
    kept.pop();
  }
  stored.write(kept.length === 0 ? undefined : { user, chats: kept });
}

/** What the device knows of the user's chat; undefined when it knows nothing. */
export function readLastKnown(id: string): Chat | undefined {
  const known = readAll().find(({ chat_id }) => chat_id === id);
  return known && toChat(known);
}

/** Stores the settings that the server has sent or confirmed. The chats that were opened longest ago make room. */
export function saveLastKnown(chat: Chat): void {
  writeAll([pack(chat), ...readAll().filter(({ chat_id }) => chat_id !== chat.chat_id)]);
}

/** Removes a chat that the user does not manage any more, or that has another ID now. */
export function forgetLastKnown(id: string): void {
  const chats = readAll();
  const others = chats.filter(({ chat_id }) => chat_id !== id);
  if (others.length < chats.length) {
    writeAll(others);
  }
}

function pack({ chat_id, chat_name, is_demo, topic_names, topics }: Chat): KnownChat {
  const names = [...new Set(Object.values(topics).flatMap((settings) => Object.keys(settings)))];
  const packed = Object.entries(topics).map(([id, settings]) => [
    id,
    names.map((name) => toMark(settings[name])).join(''),
  ]);
  return { chat_id, chat_name, is_demo, topic_names, names, topics: Object.fromEntries(packed) };
}

function toMark(isBlocked: boolean | undefined): string {
  return isBlocked === undefined ? marks.absent : isBlocked ? marks.blocked : marks.allowed;
}

function toChat({ names, topics, ...chat }: KnownChat): Chat {
  const unpacked = Object.entries(topics).map(([id, packed]) => {
    const settings: Settings = {};
    for (const [index, name] of names.entries()) {
      if (packed[index] === marks.blocked || packed[index] === marks.allowed) {
        settings[name] = packed[index] === marks.blocked;
      }
    }
    return [id, settings] as const;
  });
  // What language the bot writes is not stored: it cannot be changed before the server has answered.
  const unknown = { language: null, languages: [] };
  return { _id: chat.chat_id, ...chat, ...unknown, topics: Object.fromEntries(unpacked) };
}
