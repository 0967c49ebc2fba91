/** Who waits to be let into a chat: reading the open checks of newcomers, and settling them by hand. */
import * as v from 'valibot';

import { chatId, endpoint, noAnswer, telegramId } from './endpoint.ts';

/** The capability that announces these endpoints; other backends have none of them. */
export const chatJoins = 'chats.joins';

/** What is asked of a newcomer. */
const openKinds = ['button', 'task', 'gate'] as const;

const join = v.object({
  telegram_id: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
  /** Empty when unknown. */
  name: v.string(),
  kind: v.picklist(openKinds),
  /** Epoch milliseconds, as the next. */
  started_at: v.number(),
  due_at: v.number(),
});
export type Join = v.InferOutput<typeof join>;

/** The open checks, the newest first. */
export const listJoins = endpoint({
  method: 'GET',
  path: '/chats/:chat_id/joins',
  input: v.object({ chat_id: chatId }),
  output: v.object({ joins: v.array(join) }),
});

/**
 * Lets a newcomer in without the check, or turns them away. Refused with `not_found` when the check is settled already,
 * and with `telegram_refused` or `telegram_unavailable`.
 */
export const settleJoin = endpoint({
  method: 'POST',
  path: '/chats/:chat_id/joins/:telegram_id',
  input: v.strictObject({
    chat_id: chatId,
    telegram_id: telegramId,
    result: v.picklist(['let_in', 'turn_away']),
  }),
  output: noAnswer,
});
