/** What was done to members of a chat: actions, warnings, and approvals. */
import * as v from 'valibot';

import { chatId, endpoint, noAnswer, telegramId } from './endpoint.ts';

/** The capability that announces these endpoints; other backends have none of them. */
export const chatModeration = 'chats.moderation';

export const actionKinds = [
  'ban',
  'unban',
  'kick',
  'mute',
  'unmute',
  'warn',
  'unwarn',
  'promote',
  'demote',
  'report',
] as const;
export type ActionKind = (typeof actionKinds)[number];

/** The actions that can be undone, each by another action. */
export const undoableKinds = ['ban', 'mute', 'warn', 'promote'] as const satisfies ActionKind[];

/** `name` is empty when unknown: only IDs are stored with an action. */
const person = v.object({
  telegram_id: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
  name: v.string(),
});
export type Person = v.InferOutput<typeof person>;

const action = v.object({
  action_id: v.string(),
  kind: v.picklist(actionKinds),
  /** Epoch milliseconds. */
  at: v.number(),
  by: person,
  /** A channel has an ID below zero. */
  target: person,
  /** Empty without one. */
  reason: v.string(),
  /** Epoch milliseconds; null for good, and where there is no end. */
  until: v.nullable(v.number()),
  /** Epoch milliseconds; null unless it was undone. */
  undone_at: v.nullable(v.number()),
  can_undo: v.boolean(),
});
export type Action = v.InferOutput<typeof action>;

/**
 * The actions of the last 90 days, newest first. `before` is the `action_id` after which the next page begins;
 * `search` finds parts of names and reasons, and whole IDs.
 */
export const listActions = endpoint({
  method: 'GET',
  path: '/chats/:chat_id/actions',
  input: v.object({
    chat_id: chatId,
    before: v.optional(v.pipe(v.string(), v.maxLength(64))),
    search: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(64))),
  }),
  output: v.object({ actions: v.array(action), has_more: v.boolean() }),
});

/** Undoes a ban, a mute, a warning or a promotion. Refused with `action_not_found`, `action_not_undoable` or `telegram_refused`. */
export const undoAction = endpoint({
  method: 'POST',
  path: '/chats/:chat_id/actions/:action_id/undo',
  input: v.object({ chat_id: chatId, action_id: v.pipe(v.string(), v.maxLength(64)) }),
  output: v.object({ action }),
});

const warning = v.object({
  warning_id: v.string(),
  target: person,
  by: person,
  reason: v.string(),
  given_at: v.number(),
  /** Null when it counts until it is taken back. */
  expires_at: v.nullable(v.number()),
});
export type Warning = v.InferOutput<typeof warning>;

/** The warnings that count now, newest first; the newest 500. */
export const listWarnings = endpoint({
  method: 'GET',
  path: '/chats/:chat_id/warnings',
  input: v.object({ chat_id: chatId }),
  output: v.object({ warnings: v.array(warning) }),
});

/** Takes back one warning, or with `telegram_id` alone all that a member has. Repeating it changes nothing. */
export const removeWarnings = endpoint({
  method: 'DELETE',
  path: '/chats/:chat_id/warnings',
  input: v.object({
    chat_id: chatId,
    telegram_id: telegramId,
    warning_id: v.optional(v.pipe(v.string(), v.maxLength(64))),
  }),
  output: noAnswer,
  status: 204,
});

const approval = v.object({
  target: person,
  by: person,
  at: v.number(),
  /** Epoch milliseconds; null for good. */
  until: v.nullable(v.number()),
});
export type Approval = v.InferOutput<typeof approval>;

/** Who is exempt from what is deleted automatically, newest first. */
export const listApprovals = endpoint({
  method: 'GET',
  path: '/chats/:chat_id/approvals',
  input: v.object({ chat_id: chatId }),
  output: v.object({ approvals: v.array(approval) }),
});

/** Ends an approval. Repeating it changes nothing. */
export const removeApproval = endpoint({
  method: 'DELETE',
  path: '/chats/:chat_id/approvals',
  input: v.object({ chat_id: chatId, telegram_id: telegramId }),
  output: noAnswer,
  status: 204,
});
