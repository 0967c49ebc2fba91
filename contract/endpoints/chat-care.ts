/** How a chat fares: what the bot may do there, what it has deleted, and what happens right now. */
import * as v from 'valibot';

import { chatId, endpoint } from './endpoint.ts';

/** The name by which `readCapabilities` announces these calls and those of `chat-changes.ts`; other backends have none. */
export const chatCare = 'chats.care';

/** The same for `preparePick`, which needs a bot. */
export const chatPick = 'chats.pick';

const health = v.object({
  /** The bot's name without @; null on a server without a bot. */
  bot: v.nullable(v.string()),
  /** Whether the server hears what is written in chats (`BOT_MODE`): only then is anything deleted. */
  is_listening: v.boolean(),
  is_in: v.boolean(),
  may_delete: v.boolean(),
  /** An administrator sees all messages, any other bot only with its privacy mode off. */
  sees_all: v.boolean(),
  is_forum: v.boolean(),
  /** When Telegram was asked; epoch milliseconds. */
  checked_at: v.number(),
});
export type ChatHealth = v.InferOutput<typeof health>;

/** Refused with `telegram_unavailable` while Telegram does not answer. */
export const readChatHealth = endpoint({
  method: 'GET',
  path: '/chats/:chat_id/health',
  input: v.object({ chat_id: chatId }),
  output: health,
});

/** Setting name → messages deleted for it. Types without any are left out. */
const counts = v.record(v.string(), v.number());

/** The last 24 hours and the last 7 days, until now. */
export const readDeletions = endpoint({
  method: 'GET',
  path: '/chats/:chat_id/deletions',
  input: v.object({ chat_id: chatId }),
  output: v.object({ day: counts, week: counts }),
});

const chatEvent = v.variant('kind', [
  /** Somebody changed settings; only those that changed. */
  v.object({
    kind: v.literal('settings'),
    by: v.object({ telegram_id: v.string(), name: v.string() }),
    topics: v.record(v.string(), v.record(v.string(), v.boolean())),
  }),
  /** A topic was added, or has another name. */
  v.object({ kind: v.literal('topics') }),
  /** What the bot may do has changed, or it came or went. */
  v.object({ kind: v.literal('health') }),
  /** The group became a supergroup, with this id. */
  v.object({ kind: v.literal('upgraded'), chat_id: chatId }),
  /** The person no longer manages the chat; the last event. */
  v.object({ kind: v.literal('lost') }),
]);
export type ChatEvent = v.InferOutput<typeof chatEvent>;

/** A stream of server-sent events, each with one `chatEvent` as JSON. */
export const followChat = endpoint({
  method: 'GET',
  path: '/chats/:chat_id/events',
  input: v.object({ chat_id: chatId }),
  output: chatEvent,
});

/**
 * Prepares Telegram's own list of groups to pick one from (Bot API 9.6); `request_id` is for the
 * client's `requestChat`. The chosen chat arrives by the bot, as one to verify.
 */
export const preparePick = endpoint({
  method: 'POST',
  path: '/chats/pick',
  input: v.object({}),
  output: v.object({ request_id: v.string() }),
});
