/** Reads messages of the Bot API. Nothing in them is trusted: any field may be missing, new or malformed. */
import * as v from 'valibot';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at a field, or an empty one. */
export function getObject(holder: JsonObject, field: string): JsonObject {
  const value = holder[field];
  return isJsonObject(value) ? value : {};
}

/** The objects in the list at a field. */
export function getObjects(holder: JsonObject, field: string): readonly JsonObject[] {
  const value = holder[field];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Whether a field has an object, or a list that is not empty. */
export function hasField(holder: JsonObject, field: string): boolean {
  const value = holder[field];
  return Array.isArray(value) ? value.length > 0 : isJsonObject(value);
}

/** Whether a field says anything: it may also be a text, a number or `true`. */
export function hasValue(holder: JsonObject, field: string): boolean {
  const value = holder[field];
  return Array.isArray(value)
    ? value.length > 0
    : value !== undefined && value !== null && value !== false && value !== '';
}

export type IncomingMessage = {
  readonly chatId: number;
  /** 0 for an ephemeral message: its writer and the bot alone see it, so there is nothing to delete. */
  readonly messageId: number;
  /** 0 is General, and every chat without topics. */
  readonly topicId: number;
  /** The same for all messages of an album. */
  readonly albumId: string | undefined;
  /** Undefined when Telegram does not say. */
  readonly senderId: number | undefined;
  /** The chat in whose name it was written. */
  readonly senderChatId: number | undefined;
  /** A post of the linked channel, which Telegram copies into the group. */
  readonly isAutomaticForward: boolean;
  /** Epoch milliseconds; undefined when Telegram does not say. */
  readonly sentAt: number | undefined;
  /** The message as it came. */
  readonly content: JsonObject;
};

const id = v.pipe(v.number(), v.safeInteger());
const optionalId = v.fallback(v.optional(id), undefined);
const optionalText = v.fallback(v.optional(v.pipe(v.string(), v.nonEmpty())), undefined);
const flag = v.fallback(v.optional(v.boolean(), false), false);
const sender = v.fallback(v.optional(v.object({ id })), undefined);

const schema = v.object({
  message_id: v.pipe(id, v.minValue(0)),
  ephemeral_message_id: optionalId,
  date: optionalId,
  chat: v.object({ id }),
  from: sender,
  sender_chat: sender,
  message_thread_id: optionalId,
  is_topic_message: flag,
  media_group_id: optionalText,
  is_automatic_forward: flag,
  business_connection_id: optionalText,
  guest_query_id: optionalText,
});

/** Returns undefined for a message that cannot be read or is not sent yet, or whose chat only shares the id. Never throws. */
export function readMessage(message: unknown): IncomingMessage | undefined {
  const { success, output } = v.safeParse(schema, message);
  if (!success || !isJsonObject(message)) {
    return undefined;
  }
  // A message that is not sent yet has the id 0, too.
  if (output.message_id === 0 && output.ephemeral_message_id === undefined) {
    return undefined;
  }
  if (output.business_connection_id !== undefined || output.guest_query_id !== undefined) {
    return undefined;
  }
  return {
    chatId: output.chat.id,
    messageId: output.message_id,
    // Replies have a thread id in any supergroup; only in a topic it is the id of the topic.
    topicId: output.is_topic_message ? (output.message_thread_id ?? 0) : 0,
    albumId: output.media_group_id,
    senderId: output.from?.id,
    senderChatId: output.sender_chat?.id,
    isAutomaticForward: output.is_automatic_forward,
    sentAt: output.date === undefined ? undefined : output.date * 1000,
    content: message,
  };
}

/**
 * Telegram opens these three hosts. After a plus sign, digits alone are the phone number of a person. A folder link
 * joins several chats.
 */
const inviteLink =
  /(?<![\w.-])(?:(?:www\.)?(?:t\.me|telegram\.(?:me|dog))(?::\d+)?\/(?:s\/)*(?:joinchat\/|addlist\/|\+|%2b)|tg:(?:\/\/)?(?:join\?(?:[^\s#]*&)?invite|addlist\?(?:[^\s#]*&)?slug)=)(?!\d+(?![\w-]))[\w-]+/i;

/** Where a message has words and addresses of its own. What it replies to, quotes or pins is elsewhere. */
const ownFields = [
  'text',
  'entities',
  'caption',
  'caption_entities',
  'link_preview_options',
  'reply_markup',
  'poll',
  'checklist',
  'game',
  'rich_message',
];

/** The fields of those, at any depth, whose words are read or whose address is opened. */
const shownFields: ReadonlySet<string> = new Set([
  'text',
  'caption',
  'url',
  'title',
  'question',
  'description',
  'explanation',
]);

/** Chats that added an option or did a task; their titles are not what the message says. */
const skippedFields: ReadonlySet<string> = new Set(['added_by_chat', 'completed_by_chat']);

/** Also without being marked as a link: as code it is copied with one tap. */
export const hasInviteLink = (message: JsonObject): boolean =>
  listShown(message).some(({ text }) => inviteLink.test(text));

/** What a message itself says: its words, and the addresses that it opens. */
export function listShown(
  message: JsonObject,
): readonly { readonly field: string; readonly text: string }[] {
  const shown: { readonly field: string; readonly text: string }[] = [];
  const open: (readonly [field: string, value: unknown])[] = ownFields
    .map((field) => [field, message[field]] as const)
    .toReversed();
  // Without recursion, because a malformed message may nest endlessly.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [field, value] = next;
    if (typeof value === 'string' && shownFields.has(field)) {
      shown.push({ field, text: value });
    }
    // Parts of a list are what the list is: a rich text is a list of words and marked words.
    const parts = Array.isArray(value)
      ? value.map((part: unknown) => [field, part] as const)
      : isJsonObject(value)
        ? Object.entries(value).filter(([name]) => !skippedFields.has(name))
        : [];
    for (const part of parts.toReversed()) {
      open.push(part);
    }
  }
  return shown;
}
