/** Finds what a rich message holds. Its blocks nest, and new kinds of blocks come, so all of it is looked through. */
import { type MessageType } from '#contract/chats/message-types';

import { isLinkButton, typeOfEntity } from './message-parts.ts';
import { isThing, type Thing } from './shapes.ts';

/** Links within the message count as links: what they lead to can be anywhere in it. */
const anchors: ReadonlySet<unknown> = new Set(['anchor', 'anchor_link']);

/** Files and people, which have types of their own: those of a sticker, for one, sound like entities. */
const notLookedInto: ReadonlySet<string> = new Set([
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

/** `addMedia` adds what the fields of one block make it. */
export function addRichContent(
  message: Thing,
  found: Set<MessageType>,
  addMedia: (block: Thing, found: Set<MessageType>) => void,
): void {
  const open: unknown[] = [message];
  // Without recursion, as a mangled message may nest without end.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isThing(next)) {
      addBlock(next, found);
      addMedia(next, found);
    }
    for (const part of partsOf(next)) {
      open.push(part);
    }
  }
}

/** The objects and lists right inside of something. */
function partsOf(value: unknown): readonly unknown[] {
  const parts: readonly (readonly [string, unknown])[] =
    Array.isArray(value) || isThing(value) ? Object.entries(value) : [];
  return parts
    .filter(
      ([field, part]) => typeof part === 'object' && part !== null && !notLookedInto.has(field),
    )
    .map(([, part]) => part);
}

function addBlock(block: Thing, found: Set<MessageType>): void {
  const type = typeOfEntity.get(block['type']);
  if (type !== undefined) {
    found.add(type);
  }
  if (anchors.has(block['type']) || isLinkButton(block)) {
    found.add('url');
  }
  if (block['has_spoiler'] === true) {
    found.add('spoiler');
  }
  if (isThing(block['voice_note'])) {
    found.add('voice');
  }
}
