/** Chats that a user manages, and the settings of their topics. */
import * as v from 'valibot';

import { isLanguage, languageTags } from '../languages.ts';
import { chatFieldTexts } from './chat-texts.ts';
import {
  chatId,
  chatIdOr,
  endpoint,
  initData,
  message,
  noAnswer,
  otpCode,
  topicId,
} from './endpoint.ts';

/** Setting name → blocked. Open-ended, as a backend may know more message types than this version. */
const settings = v.record(v.string(), v.boolean());
export type Settings = v.InferOutput<typeof settings>;

const chat = v.pipe(
  v.object({
    _id: v.optional(v.unknown()),
    chat_id: chatId,
    chat_name: v.optional(v.nullable(v.string())),
    topics: v.optional(v.nullable(v.record(v.string(), settings))),
    /** Added on a server without a bot, which cannot ask Telegram for the owner. */
    is_demo: v.optional(v.boolean()),
    /** Topic → its name in Telegram, as far as the bot knows it. */
    topic_names: v.optional(v.nullable(v.record(v.string(), v.string()))),
    /** What the bot writes there; null while it is not known, and the bot writes English. */
    language: v.optional(v.nullable(v.string())),
    /** What it can write. Other backends do not send it. */
    languages: v.optional(v.array(v.string())),
  }),
  v.transform(({ chat_id, chat_name, topics, is_demo, topic_names, language, languages }) => ({
    _id: chat_id,
    chat_id,
    chat_name: chat_name ?? '',
    topics: topics ?? {},
    is_demo: is_demo ?? false,
    topic_names: topic_names ?? {},
    language: typeof language === 'string' && isLanguage(language) ? language : null,
    languages: (languages ?? []).filter((tag) => isLanguage(tag)),
  })),
);
/** A managed chat. `chat_name` is empty when unknown; topic "0" is General. */
export type Chat = v.InferOutput<typeof chat>;

const chatAnswer = v.pipe(
  v.union([v.object({ chat }), chat]),
  v.transform((body) => ('chat' in body ? body.chat : body)),
);

const topic = v.union([
  v.object({ topic_id: topicId, settings }),
  v.pipe(
    settings,
    v.transform((bare) => ({ settings: bare })),
  ),
]);

/** A chat that the user has added the bot to, or picked, and not verified yet. */
const unverifiedChat = v.object({
  chat_id: chatId,
  chat_name: v.string(),
  /** Whether the bot may delete messages there, as far as it has been told. */
  may_delete: v.optional(v.boolean()),
});
export type UnverifiedChat = v.InferOutput<typeof unverifiedChat>;

/** The chat that the user has added the bot to, or picked, last; `added_at` in epoch milliseconds. */
const newestChat = v.object({ chat_id: chatId, added_at: v.number() });

export const listChats = endpoint({
  method: 'GET',
  path: '/chats',
  input: v.object({}),
  output: v.pipe(
    v.union([
      v.object({
        chats: v.array(chat),
        unverified: v.optional(v.array(unverifiedChat), []),
        newest: v.optional(newestChat),
      }),
      v.array(chat),
    ]),
    v.transform((body) =>
      Array.isArray(body) ? { chats: body, unverified: [], newest: undefined } : body,
    ),
  ),
});

export const addChat = endpoint({
  method: 'POST',
  path: '/chats',
  input: v.object({ chat_id: chatIdOr(chatFieldTexts.chatIdEmpty) }),
  output: message,
  status: 202,
});

/** Returns the verified chat; some backends return nothing. */
export const verifyChat = endpoint({
  method: 'POST',
  path: '/chats/verify',
  query: ['chat_id', 'otp'],
  input: v.object({ chat_id: chatId, otp: otpCode }),
  output: v.pipe(
    v.unknown(),
    v.transform((body) => v.safeParse(v.object({ chat }), body)),
    v.transform(({ success, output }) => (success ? output : {})),
    v.object({ chat: v.optional(v.custom<Chat>((value) => typeof value === 'object')) }),
  ),
});

/** The capability that announces `claimChat`, which needs a bot. */
export const chatClaim = 'chats.claim';

/**
 * Verifies a chat without a code for its owner. Launch data proves who the user is, and Telegram is asked
 * whether that user is the owner. Refused with `not_owner` or `launch_too_old`; a code is possible then.
 */
export const claimChat = endpoint({
  method: 'POST',
  path: '/chats/:chat_id/claim',
  input: v.object({ chat_id: chatId, init_data: initData }),
  output: v.object({ chat }),
});

export const readChat = endpoint({
  method: 'GET',
  path: '/chats/:chat_id',
  input: v.object({ chat_id: chatId }),
  output: chatAnswer,
});

export const readTopic = endpoint({
  method: 'GET',
  path: '/chats/:chat_id/topics/:topic_id',
  input: v.object({ chat_id: chatId, topic_id: topicId }),
  output: topic,
});

/** Adds a topic with everything allowed. */
export const addTopic = endpoint({
  method: 'POST',
  path: '/chats/:chat_id/topics',
  query: ['topic_id'],
  input: v.object({ chat_id: chatId, topic_id: topicId }),
  output: v.union([
    topic,
    v.pipe(
      v.unknown(),
      v.transform(() => ({ settings: {} })),
    ),
  ]),
  status: 201,
});

/** The name of a setting on the wire, also of one that this version does not know. */
export const settingKey = v.pipe(
  v.string(),
  v.regex(/^[a-z_]{1,40}_blocked$/, chatFieldTexts.unknownSetting),
);
export const isBlocked = v.boolean(chatFieldTexts.settingState);

export const setSetting = endpoint({
  method: 'PUT',
  path: '/chats/:chat_id/topics/:topic_id/settings',
  body: ['chat_id', 'topic_id', 'setting_name', 'value'],
  input: v.strictObject({
    chat_id: chatId,
    topic_id: topicId,
    setting_name: settingKey,
    value: isBlocked,
  }),
  output: v.pipe(
    v.unknown(),
    v.transform((body) =>
      v.is(v.object({ setting_name: v.string(), value: v.boolean() }), body) ? body : undefined,
    ),
  ),
});

/** Changes what the bot writes in a group. */
export const setChatLanguage = endpoint({
  method: 'PUT',
  path: '/chats/:chat_id/language',
  input: v.object({ chat_id: chatId, language: v.picklist(languageTags) }),
  output: noAnswer,
  status: 204,
});
