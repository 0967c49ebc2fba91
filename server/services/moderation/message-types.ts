/** Reads which of the message types that a chat can block a message has. */
import { type MessageType, moreMessageTypes } from '#contract/chats/message-types';

import {
  getObject,
  getObjects,
  hasField,
  hasInviteLink,
  hasValue,
  isJsonObject,
  type JsonObject,
} from './incoming-message.ts';

type Rule = {
  /** Fields that only a whole message has. */
  readonly messageFields?: readonly string[];
  /** Fields that make a message, a medium of a poll or a block of a rich message one of this type. */
  readonly fields?: readonly string[];
  /** The newer field beside which Telegram also fills ours, for older clients: ours does not count then. */
  readonly unless?: string;
  /** Kinds of marked text, in plain and in rich messages. */
  readonly entities?: readonly string[];
  /** Anything else that makes a message one of this type. */
  readonly test?: (message: JsonObject) => boolean;
  /** The fields of a message that `test` reads. */
  readonly reads?: readonly string[];
};

/**
 * One entry for each type, the most specific first: a deletion is counted for the first type that is
 * blocked. That a message is text says least about it. docs/message-types.md explains each entry.
 */
const rules: Readonly<Record<MessageType, Rule>> = {
  animation: { fields: ['animation'] },
  photo: { fields: ['live_photo', 'photo'] },
  video_note: { fields: ['video_note'] },
  voice: { fields: ['voice'] },
  audio: { fields: ['audio'] },
  video: { fields: ['video'] },
  sticker: { fields: ['sticker'] },
  document: { fields: ['document'], unless: 'animation' },
  paid_media: { fields: ['paid_media'] },
  story: { fields: ['story'] },
  venue: { fields: ['venue'] },
  location: { fields: ['location'], unless: 'venue' },
  poll: { fields: ['poll'] },
  checklist: { fields: ['checklist'] },
  contact: { fields: ['contact'] },
  dice: { fields: ['dice'] },
  game: { fields: ['game'] },
  giveaway: { fields: ['giveaway', 'giveaway_winners'] },
  gift: { messageFields: ['gift', 'unique_gift', 'gift_upgrade_sent'] },
  invoice: { messageFields: ['invoice'] },
  new_member: { messageFields: ['new_chat_members', 'community_chat_joined'] },
  left_member: { messageFields: ['left_chat_member'] },
  pinned_message: { messageFields: ['pinned_message'] },
  title_change: { messageFields: ['new_chat_title'] },
  photo_change: { messageFields: ['new_chat_photo', 'delete_chat_photo'] },
  // That a topic was created is not here: Telegram lets no bot delete it.
  topic_change: {
    messageFields: [
      'forum_topic_edited',
      'forum_topic_closed',
      'forum_topic_reopened',
      'general_forum_topic_hidden',
      'general_forum_topic_unhidden',
    ],
  },
  list_change: {
    messageFields: [
      'checklist_tasks_done',
      'checklist_tasks_added',
      'poll_option_added',
      'poll_option_deleted',
    ],
  },
  video_chat: {
    messageFields: [
      'video_chat_scheduled',
      'video_chat_started',
      'video_chat_ended',
      'video_chat_participants_invited',
    ],
  },
  boost: { messageFields: ['boost_added', 'giveaway_created', 'giveaway_completed'] },
  other_service: {
    messageFields: [
      'message_auto_delete_timer_changed',
      'chat_background_set',
      'chat_owner_left',
      'chat_owner_changed',
      'community_chat_added',
      'community_chat_removed',
      'paid_message_price_changed',
      'direct_message_price_changed',
      'proximity_alert_triggered',
      'successful_payment',
      'refunded_payment',
    ],
  },
  external_reply: { test: isReplyToElsewhere, reads: ['external_reply', 'reply_to_story'] },
  // What it reads is what a message says anywhere, so no field is its own.
  invite_link: { test: hasInviteLink },
  url: {
    entities: ['url', 'text_link'],
    test: hasLinkOutsideOfText,
    reads: ['link_preview_options', 'reply_markup'],
  },
  email: { entities: ['email', 'email_address'] },
  phone_number: { entities: ['phone_number'] },
  mention: { entities: ['mention', 'text_mention'] },
  hashtag: { entities: ['hashtag', 'cashtag'] },
  bot_command: { entities: ['bot_command'] },
  custom_emoji: { entities: ['custom_emoji'] },
  spoiler: {
    entities: ['spoiler'],
    test: (message) => message['has_media_spoiler'] === true,
    reads: ['has_media_spoiler'],
  },
  forward: {
    test: (message) =>
      isJsonObject(message['forward_origin']) && message['is_automatic_forward'] !== true,
    reads: ['forward_origin'],
  },
  // A guest bot writes where a user names it, without being in the chat.
  via_bot: { messageFields: ['via_bot', 'guest_bot_caller_user', 'guest_bot_caller_chat'] },
  // The group itself stands there for anonymous administrators. Posts of the linked channel are no one's messages.
  channel_sender: {
    test: (message) =>
      isJsonObject(message['sender_chat']) &&
      message['sender_chat']['id'] !== getObject(message, 'chat')['id'] &&
      message['is_automatic_forward'] !== true,
    reads: ['sender_chat'],
  },
  // Telegram itself adds a quote to a reply to another chat.
  quote: {
    test: (message) => getObject(message, 'quote')['is_manual'] === true,
    reads: ['quote'],
  },
  // Telegram's own permissions treat rich messages as text, too.
  text: {
    test: (message) =>
      hasField(message, 'rich_message') ||
      (typeof message['text'] === 'string' && !mediaRules.some((rule) => matches(message, rule))),
    reads: ['text', 'rich_message'],
  },
};

const specificFirst: readonly MessageType[] = Object.keys(rules).filter(isMessageType);

function isMessageType(name: string): name is MessageType {
  return Object.hasOwn(rules, name);
}

const serviceTypes: ReadonlySet<MessageType> = new Set(moreMessageTypes.service);

/** Whether Telegram itself writes messages of this type, in the name of the user who caused them. */
export function isServiceType(type: MessageType): boolean {
  return serviceTypes.has(type);
}

/** The fields of a message, and the kinds of marked text, by which each type is recognised. */
export const signsByType: ReadonlyMap<
  MessageType,
  { readonly fields: readonly string[]; readonly entities: readonly string[] }
> = new Map(
  specificFirst.map((type) => {
    const { messageFields = [], fields = [], reads = [], entities = [] } = rules[type];
    return [type, { fields: [...messageFields, ...fields, ...reads], entities }];
  }),
);

type MediaRule = {
  readonly type: MessageType;
  readonly field: string;
  readonly unless: string | undefined;
};

const mediaRules: readonly MediaRule[] = specificFirst.flatMap((type) => {
  const { fields = [], unless } = rules[type];
  return fields.map((field) => ({ type, field, unless }));
});

const typeByEntity: ReadonlyMap<unknown, MessageType> = new Map<unknown, MessageType>(
  specificFirst.flatMap((type) =>
    (rules[type].entities ?? []).map((entity) => [entity, type] as const),
  ),
);

/**
 * Returns the types of a message, the most specific first. What the message that it replies to, quotes or
 * pins contains does not count. Never throws.
 */
export function readMessageTypes(message: JsonObject): readonly MessageType[] {
  const found = new Set(
    specificFirst.filter((type) => {
      const { messageFields = [], test } = rules[type];
      return messageFields.some((field) => hasValue(message, field)) || test?.(message) === true;
    }),
  );
  for (const holder of [message, ...getPollMedia(message)]) {
    addMedia(holder, found);
  }
  addEntities(message, found);
  addRichContent(getObject(message, 'rich_message'), found);
  return specificFirst.filter((type) => found.has(type));
}

function matches(holder: JsonObject, { field, unless }: MediaRule): boolean {
  return hasField(holder, field) && (unless === undefined || !hasField(holder, unless));
}

function addMedia(holder: JsonObject, found: Set<MessageType>): void {
  for (const rule of mediaRules) {
    if (matches(holder, rule)) {
      found.add(rule.type);
    }
  }
}

/** Pictures, files, places and links in a poll: in its description, its explanation and its options. */
function getPollMedia(message: JsonObject): readonly JsonObject[] {
  const poll = getObject(message, 'poll');
  const media = [poll, ...getObjects(poll, 'options')].map((holder) => getObject(holder, 'media'));
  return [...media, getObject(poll, 'explanation_media')];
}

const entityFields = [
  'entities',
  'caption_entities',
  'text_entities',
  'title_entities',
  'question_entities',
  'description_entities',
  'explanation_entities',
];

/** Adds the types of marked text. */
function addEntities(message: JsonObject, found: Set<MessageType>): void {
  const poll = getObject(message, 'poll');
  const checklist = getObject(message, 'checklist');
  const holders = [
    message,
    getObject(message, 'game'),
    poll,
    ...getObjects(poll, 'options'),
    checklist,
    ...getObjects(checklist, 'tasks'),
  ];
  for (const holder of holders) {
    for (const { type } of entityFields.flatMap((field) => getObjects(holder, field))) {
      const entityType = typeByEntity.get(type);
      if (entityType !== undefined) {
        found.add(entityType);
      }
    }
  }
}

/** A reply to another topic of the same chat shows nothing from elsewhere. */
function isReplyToElsewhere(message: JsonObject): boolean {
  const { id } = getObject(message, 'chat');
  return (
    (hasField(message, 'external_reply') &&
      getObject(getObject(message, 'external_reply'), 'chat')['id'] !== id) ||
    (hasField(message, 'reply_to_story') &&
      getObject(getObject(message, 'reply_to_story'), 'chat')['id'] !== id)
  );
}

function hasLinkOutsideOfText(message: JsonObject): boolean {
  // A preview can show a page whose address is not in the text.
  const preview = getObject(message, 'link_preview_options');
  const rows = getObject(message, 'reply_markup')['inline_keyboard'];
  const buttons: readonly unknown[] = Array.isArray(rows) ? rows.flat() : [];
  return (
    (isAddress(preview['url']) && preview['is_disabled'] !== true) ||
    buttons.filter(isJsonObject).some(isLinkButton) ||
    getPollMedia(message).some((medium) => isJsonObject(medium['link']))
  );
}

/** Whether pressing a button opens an address. */
function isLinkButton(button: JsonObject): boolean {
  return (
    isAddress(button['url']) || isJsonObject(button['login_url']) || isJsonObject(button['web_app'])
  );
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** Links within the message count as links, because they can lead to anything in it. */
const anchors: ReadonlySet<unknown> = new Set(['anchor', 'anchor_link']);

/** Files and users have types of their own, some of which are named like entities. */
const skippedFields: ReadonlySet<string> = new Set([
  'animation',
  'audio',
  'document',
  'live_photo',
  'location',
  'photo',
  'sticker',
  'user',
  'video',
  'voice_note',
]);

/** Blocks of a rich message nest, and Telegram adds new kinds of blocks, so all of it is searched. */
function addRichContent(message: JsonObject, found: Set<MessageType>): void {
  const open: unknown[] = [message];
  // Without recursion, because a malformed message may nest endlessly.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isJsonObject(next)) {
      addBlock(next, found);
      addMedia(next, found);
    }
    for (const part of getParts(next)) {
      open.push(part);
    }
  }
}

/** The objects and lists directly inside of a value. */
function getParts(value: unknown): readonly unknown[] {
  const parts: readonly (readonly [string, unknown])[] =
    Array.isArray(value) || isJsonObject(value) ? Object.entries(value) : [];
  return parts
    .filter(
      ([field, part]) => typeof part === 'object' && part !== null && !skippedFields.has(field),
    )
    .map(([, part]) => part);
}

function addBlock(block: JsonObject, found: Set<MessageType>): void {
  const type = typeByEntity.get(block['type']);
  if (type !== undefined) {
    found.add(type);
  }
  if (anchors.has(block['type']) || isLinkButton(block)) {
    found.add('url');
  }
  if (block['has_spoiler'] === true) {
    found.add('spoiler');
  }
  if (isJsonObject(block['voice_note'])) {
    found.add('voice');
  }
}
