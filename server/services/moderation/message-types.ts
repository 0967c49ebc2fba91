/** Reads which of the message types that a chat can block a message has. */
import { type MessageType } from '#contract/chats/message-types';

import {
  getObject,
  getObjects,
  hasField,
  isJsonObject,
  type JsonObject,
} from './incoming-message.ts';

type Rule = {
  /** Fields that make a message, a medium of a poll or a block of a rich message one of this type. */
  readonly fields?: readonly string[];
  /** The newer field beside which Telegram also fills ours, for older clients: ours does not count then. */
  readonly unless?: string;
  /** Kinds of marked text, in plain and in rich messages. */
  readonly entities?: readonly string[];
  /** Anything else that makes a message one of this type. */
  readonly test?: (message: JsonObject) => boolean;
};

/**
 * One entry for each type, the most specific first: a deletion is counted for the first type that is
 * blocked. That a message is text says least about it.
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
  url: { entities: ['url', 'text_link'], test: hasLinkOutsideOfText },
  mention: { entities: ['mention', 'text_mention'] },
  hashtag: { entities: ['hashtag', 'cashtag'] },
  bot_command: { entities: ['bot_command'] },
  custom_emoji: { entities: ['custom_emoji'] },
  spoiler: { entities: ['spoiler'], test: (message) => message['has_media_spoiler'] === true },
  forward: {
    test: (message) =>
      isJsonObject(message['forward_origin']) && message['is_automatic_forward'] !== true,
  },
  via_bot: { test: (message) => isJsonObject(message['via_bot']) },
  // Telegram's own permissions treat rich messages as text, too.
  text: {
    test: (message) =>
      hasField(message, 'rich_message') ||
      (typeof message['text'] === 'string' && !mediaRules.some((rule) => matches(message, rule))),
  },
};

const specificFirst: readonly MessageType[] = Object.keys(rules).filter(isMessageType);

function isMessageType(name: string): name is MessageType {
  return Object.hasOwn(rules, name);
}

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
 * Returns the types of a message, the most specific first; a service message has none. The message that
 * it replies to, quotes or pins does not count. Never throws.
 */
export function readMessageTypes(message: JsonObject): readonly MessageType[] {
  const found = new Set(specificFirst.filter((type) => rules[type].test?.(message)));
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
