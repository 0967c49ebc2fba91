/** Reads who wrote a message, where, and as part of what: the border between Telegram's word and our rules. */
import * as v from 'valibot';

import { isThing, type Thing } from './shapes.ts';

export type IncomingMessage = {
  readonly chatId: number;
  readonly messageId: number;
  /** 0 is General, and every chat without topics. */
  readonly topicId: number;
  /** The same for all messages of an album. */
  readonly albumId: string | undefined;
  /** Undefined when Telegram does not say. */
  readonly senderId: number | undefined;
  /** The chat in whose name it was written. */
  readonly senderChatId: number | undefined;
  /** A post of the linked channel, brought here by Telegram. */
  readonly isAutomaticForward: boolean;
  /** Epoch milliseconds; undefined when Telegram does not say. */
  readonly sentAt: number | undefined;
  /** The message as it came. */
  readonly content: Thing;
};

const id = v.pipe(v.number(), v.safeInteger());
const optionalId = v.fallback(v.optional(id), undefined);
const optionalText = v.fallback(v.optional(v.pipe(v.string(), v.nonEmpty())), undefined);
const flag = v.fallback(v.optional(v.boolean(), false), false);
const whoever = v.fallback(v.optional(v.object({ id })), undefined);

const schema = v.object({
  // 0 stands for messages that cannot be deleted: those for one person, and those not sent yet.
  message_id: v.pipe(id, v.minValue(1)),
  date: optionalId,
  chat: v.object({ id }),
  from: whoever,
  sender_chat: whoever,
  message_thread_id: optionalId,
  is_topic_message: flag,
  media_group_id: optionalText,
  is_automatic_forward: flag,
  business_connection_id: optionalText,
  guest_query_id: optionalText,
});

/** Undefined for what is no message, cannot be deleted, or belongs to a chat that only shares the id. Never throws. */
export function readMessage(message: unknown): IncomingMessage | undefined {
  const { success, output } = v.safeParse(schema, message);
  if (!success || !isThing(message)) {
    return undefined;
  }
  if (output.business_connection_id !== undefined || output.guest_query_id !== undefined) {
    return undefined;
  }
  return {
    chatId: output.chat.id,
    messageId: output.message_id,
    // Replies have a thread id in any supergroup; only in a topic it is the topic's.
    topicId: output.is_topic_message ? (output.message_thread_id ?? 0) : 0,
    albumId: output.media_group_id,
    senderId: output.from?.id,
    senderChatId: output.sender_chat?.id,
    isAutomaticForward: output.is_automatic_forward,
    sentAt: output.date === undefined ? undefined : output.date * 1000,
    content: message,
  };
}
