/** The bot in a chat: its health, the deletions, a stream of events, and adding a chat by picking it. */
import * as v from 'valibot';

import { rights } from '#contract/commands/command';

import { chatId, endpoint } from './endpoint.ts';

/** The capability that announces these endpoints and those of `chat-changes.ts`; other backends have none of them. */
export const chatActivity = 'chats.care';

/** The capability that announces the message types beyond the specification. */
export const chatMoreTypes = 'chats.more-types';

/** The capability that announces `preparePick`, which needs a bot. */
export const chatPick = 'chats.pick';

const health = v.object({
  /** The bot's name without @; null on a server without a bot. */
  bot: v.nullable(v.string()),
  /** Whether the server receives messages (`BOT_MODE`): otherwise nothing is deleted. */
  is_listening: v.boolean(),
  is_in: v.boolean(),
  may_delete: v.boolean(),
  /** An administrator sees the messages of all members, any other bot only with its privacy mode off. */
  sees_all: v.boolean(),
  is_forum: v.boolean(),
  /** What else the bot may do, in our short names. Older servers do not say it. */
  rights: v.optional(v.array(v.picklist(rights))),
  /** Whether requests to join come to the bot first, so that the join gate opens at once. Older servers do not say it. */
  guard: v.optional(v.boolean()),
  /** False while Telegram's server knows no calls that remove reactions. Older servers do not say it. */
  reactions: v.optional(v.boolean()),
  /** The time of the check; epoch milliseconds. */
  checked_at: v.number(),
});
export type ChatHealth = v.InferOutput<typeof health>;

/** Refused with `telegram_unavailable` while Telegram does not respond. */
export const readChatHealth = endpoint({
  method: 'GET',
  path: '/chats/:chat_id/health',
  input: v.object({ chat_id: chatId }),
  output: health,
});

/** Setting name → number of messages deleted for it. Message types without any are left out. */
const counts = v.record(v.string(), v.number());

/**
 * The last 24 hours and the last 7 days, until now. `exact` counts only messages that were deleted alone: of
 * several in one call Telegram does not say which were still there. Without it, every number is exact.
 */
export const readDeletions = endpoint({
  method: 'GET',
  path: '/chats/:chat_id/deletions',
  input: v.object({ chat_id: chatId }),
  output: v.object({
    day: counts,
    week: counts,
    exact: v.optional(v.object({ day: counts, week: counts })),
  }),
});

const chatEvent = v.variant('kind', [
  /** A user changed settings; holds only those that changed. */
  v.object({
    kind: v.literal('settings'),
    by: v.object({ telegram_id: v.string(), name: v.string() }),
    topics: v.record(v.string(), v.record(v.string(), v.boolean())),
  }),
  /** A user changed values; `chat` or a topic → name → value, null where none is stored any more. */
  v.object({
    kind: v.literal('values'),
    by: v.object({ telegram_id: v.string(), name: v.string() }),
    values: v.record(v.string(), v.record(v.string(), v.unknown())),
  }),
  /** Something was done to a member, or undone: the lists of actions and warnings have changed. */
  v.object({ kind: v.literal('action') }),
  /** The open checks of newcomers have changed. */
  v.object({ kind: v.literal('join') }),
  /** The list of approved members has changed. */
  v.object({ kind: v.literal('approvals') }),
  /** A topic was added, or has another name. */
  v.object({ kind: v.literal('topics') }),
  /** The bot writes another language there. Older servers do not say who changed it. */
  v.object({
    kind: v.literal('language'),
    by: v.optional(v.object({ telegram_id: v.string(), name: v.string() })),
  }),
  /** The bot's rights have changed, or it joined or left. */
  v.object({ kind: v.literal('health') }),
  /** The group became a supergroup, with this id. */
  v.object({ kind: v.literal('upgraded'), chat_id: chatId }),
  /** The user no longer manages the chat; the last event. */
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
 * client's `requestChat`. The bot then receives the chosen chat, which appears as one to verify.
 */
export const preparePick = endpoint({
  method: 'POST',
  path: '/chats/pick',
  input: v.object({}),
  output: v.object({ request_id: v.string() }),
});
