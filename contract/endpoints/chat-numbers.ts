/** The numbers of a chat: joins, tasks, floods and deletions, by day. */
import * as v from 'valibot';

import { chatId, endpoint } from './endpoint.ts';

/** The capability that announces this endpoint; other backends do not have it. */
export const chatNumbers = 'chats.numbers';

/** Of how many days the numbers can be read. */
export const numberDays = [7, 30] as const;
export type NumberDays = (typeof numberDays)[number];

/** The name under which the deletions of all settings are counted together. */
export const allDeleted = 'deleted';

/** Name → how often; names without any are left out. A name is one of `CountedEvent`, or `allDeleted`. */
const counts = v.record(v.string(), v.number());

const numbers = v.object({
  /** The first day, such as 2026-11-27. */
  from: v.string(),
  /** Each day until today, the earliest first. */
  days: v.array(v.object({ day: v.string(), counts })),
  /** Of all these days: by setting, and by topic (0 is General; -1 where the topic is not known), the most first. */
  deletions: v.object({
    by_type: v.array(v.object({ name: v.string(), count: v.number() })),
    by_topic: v.array(v.object({ topic_id: v.number(), count: v.number() })),
  }),
  /** The latest attack of the last 30 days. `until` is its end; null when it was ended before. */
  attack: v.nullable(v.object({ since: v.number(), until: v.nullable(v.number()), counts })),
});
export type ChatNumbers = v.InferOutput<typeof numbers>;

/** `offset`: minutes from UTC to the time of the reader, whose days they are. Hours are counted to the day they begin in. */
export const readChatNumbers = endpoint({
  method: 'GET',
  path: '/chats/:chat_id/numbers',
  input: v.object({
    chat_id: chatId,
    days: v.pipe(v.union([v.number(), v.string()]), v.transform(Number), v.picklist(numberDays)),
    offset: v.optional(
      v.pipe(
        v.union([v.number(), v.string()]),
        v.transform(Number),
        v.integer(),
        v.minValue(-12 * 60),
        v.maxValue(14 * 60),
      ),
    ),
  }),
  output: numbers,
});
