/**
 * The join gate: who asks to join a group reads its rules and does a task in Nori. Telegram's launch data alone says who
 * it is; no account is needed.
 */
import * as v from 'valibot';

import { chatId, endpoint, initData } from './endpoint.ts';

/** The capability that announces these calls, which need a bot. */
export const joinGate = 'gate';

/** A task shows so many words, of which so many belong together. */
export const gateTask = { words: 9, choose: 3 } as const;

/** In milliseconds: no one can read the task faster, so that an earlier answer is not looked at. */
export const gateMinReadMs = 2000;

/**
 * `open`: the task waits to be done. `in`: the request was approved. `passed`: the task is done, and Telegram has still
 * to let the person in. `failed`: too many wrong answers. `expired`: the time was over. `gone`: others have decided.
 */
const state = v.picklist(['open', 'in', 'passed', 'failed', 'expired', 'gone']);

const entity = v.object({
  type: v.string(),
  offset: v.number(),
  length: v.number(),
  url: v.optional(v.string()),
});

const gate = v.object({
  chat_name: v.string(),
  state,
  /** As the administrators wrote them, with names filled in; null without rules, and when it is settled. */
  rules: v.nullable(v.object({ text: v.string(), entities: v.array(entity) })),
  /** Null unless the state is `open`. */
  task: v.nullable(
    v.object({
      question: v.string(),
      words: v.array(v.object({ word: v.string(), picture: v.string() })),
      /** Goes back with the answer. */
      ticket: v.string(),
      /**
       * What the device works out meanwhile: the number below `candidates` from which PBKDF2 (SHA-256, the ticket as salt,
       * so many iterations, 128 bits) makes `target`, in hexadecimal.
       */
      work: v.object({ iterations: v.number(), candidates: v.number(), target: v.string() }),
    }),
  ),
  tries_left: v.number(),
  /** Until the time is over; when it failed, until the person may ask to join again. */
  seconds_left: v.number(),
});
export type Gate = v.InferOutput<typeof gate>;

/** Refused with `not_found` when the person has asked to join no group, or not the one that is meant. */
export const openGate = endpoint({
  method: 'POST',
  path: '/gate',
  input: v.object({ init_data: initData, chat_id: v.optional(chatId) }),
  output: gate,
});

/**
 * `outcome` is what came of this answer; after a wrong one there is another task. `too_fast` and `outdated` answers are
 * not looked at and cost no try: an outdated one is for a task that was answered before.
 */
export const answerGate = endpoint({
  method: 'POST',
  path: '/gate/answer',
  input: v.object({
    init_data: initData,
    chat_id: v.optional(chatId),
    ticket: v.pipe(v.string(), v.maxLength(100)),
    /** Positions in the list of words. */
    answer: v.pipe(
      v.array(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(gateTask.words - 1))),
      v.maxLength(gateTask.words),
    ),
    /** The number that was worked out. */
    work: v.pipe(v.number(), v.integer(), v.minValue(0)),
  }),
  output: v.object({
    ...gate.entries,
    outcome: v.picklist(['right', 'wrong', 'too_fast', 'outdated', 'settled']),
  }),
});
