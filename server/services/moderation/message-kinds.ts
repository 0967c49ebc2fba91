/** Says which kinds of message that a chat can block a message of the Bot API is. */
import { type MessageType } from '#contract/chats/message-types';

import { addParts } from './message-parts.ts';
import { addRichContent } from './rich-content.ts';
import { holds, isThing, type Thing, thingAt, thingsAt } from './shapes.ts';

/** What a field of a message makes it, the specific before the general. */
const kindOfField = [
  ['animation', 'animation'],
  ['live_photo', 'photo'],
  ['video_note', 'video_note'],
  ['voice', 'voice'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['photo', 'photo'],
  ['sticker', 'sticker'],
  ['document', 'document'],
  ['paid_media', 'paid_media'],
  ['story', 'story'],
  ['venue', 'venue'],
  ['location', 'location'],
  ['poll', 'poll'],
  ['checklist', 'checklist'],
  ['contact', 'contact'],
  ['dice', 'dice'],
  ['game', 'game'],
  ['giveaway', 'giveaway'],
  ['giveaway_winners', 'giveaway'],
] as const satisfies readonly (readonly [string, MessageType])[];

/** For clients that do not know the newer field Telegram also fills the older one, which means nothing then. */
const filledAlongside: Readonly<Record<string, string>> = {
  document: 'animation',
  location: 'venue',
};

/** What a message is, then what is in it, then where it comes from; that it is text says least. */
const specificFirst: readonly MessageType[] = [
  ...new Set(kindOfField.map(([, type]) => type)),
  'url',
  'mention',
  'hashtag',
  'bot_command',
  'custom_emoji',
  'spoiler',
  'forward',
  'via_bot',
  'text',
];

/** Those of the 27 types that a message has, most specific first; a service message has none. Never throws. */
export function typesOf(message: Thing): readonly MessageType[] {
  const found = new Set<MessageType>();
  addMedia(message, found);
  const isMedia = found.size > 0;
  addPollMedia(thingAt(message, 'poll'), found);
  addParts(message, found);
  addOrigin(message, found);
  if (holds(message, 'rich_message')) {
    // Telegram's own permissions treat it as text, too; pictures in it are pictures all the same.
    found.add('text');
    addRichContent(thingAt(message, 'rich_message'), found, addMedia);
  } else if (!isMedia && typeof message['text'] === 'string') {
    found.add('text');
  }
  return specificFirst.filter((type) => found.has(type));
}

function addMedia(holder: Thing, found: Set<MessageType>): void {
  for (const [field, type] of kindOfField) {
    const newer = filledAlongside[field];
    if (holds(holder, field) && (newer === undefined || !holds(holder, newer))) {
      found.add(type);
    }
  }
}

/** Pictures, files and places in a poll: in its description, its explanation and its options. */
function addPollMedia(poll: Thing, found: Set<MessageType>): void {
  for (const holder of [poll, ...thingsAt(poll, 'options')]) {
    addMedia(thingAt(holder, 'media'), found);
  }
  addMedia(thingAt(poll, 'explanation_media'), found);
}

function addOrigin(message: Thing, found: Set<MessageType>): void {
  if (isThing(message['forward_origin']) && message['is_automatic_forward'] !== true) {
    found.add('forward');
  }
  if (isThing(message['via_bot'])) {
    found.add('via_bot');
  }
}
