/** Finds links, mentions and the like in a message, wherever it may hold some. */
import { type MessageType } from '#contract/chats/message-types';

import { isThing, type Thing, thingAt, thingsAt } from './shapes.ts';

/** What a piece of marked text is, in plain and in rich messages. */
export const typeOfEntity: ReadonlyMap<unknown, MessageType> = new Map<unknown, MessageType>([
  ['url', 'url'],
  ['text_link', 'url'],
  ['mention', 'mention'],
  ['text_mention', 'mention'],
  ['hashtag', 'hashtag'],
  ['cashtag', 'hashtag'],
  ['bot_command', 'bot_command'],
  ['custom_emoji', 'custom_emoji'],
  ['spoiler', 'spoiler'],
]);

/**
 * Adds what the message's own words and buttons hold. What it answers to, quotes or pins is somebody
 * else's and does not count.
 */
export function addParts(message: Thing, found: Set<MessageType>): void {
  addEntities(message, ['entities', 'caption_entities'], found);
  addEntities(thingAt(message, 'game'), ['text_entities'], found);
  addPoll(thingAt(message, 'poll'), found);
  addChecklist(thingAt(message, 'checklist'), found);
  if (message['has_media_spoiler'] === true) {
    found.add('spoiler');
  }
  if (hasPreviewLink(message) || hasButtonLink(message)) {
    found.add('url');
  }
}

/** Whether pressing a button opens an address. */
export function isLinkButton(button: Thing): boolean {
  return isAddress(button['url']) || isThing(button['login_url']) || isThing(button['web_app']);
}

function addEntities(holder: Thing, fields: readonly string[], found: Set<MessageType>): void {
  for (const field of fields) {
    for (const { type } of thingsAt(holder, field)) {
      const kind = typeOfEntity.get(type);
      if (kind !== undefined) {
        found.add(kind);
      }
    }
  }
}

function addPoll(poll: Thing, found: Set<MessageType>): void {
  addEntities(poll, ['question_entities', 'description_entities', 'explanation_entities'], found);
  const options = thingsAt(poll, 'options');
  for (const option of options) {
    addEntities(option, ['text_entities'], found);
  }
  const media = [poll, ...options].map((holder) => thingAt(holder, 'media'));
  if ([...media, thingAt(poll, 'explanation_media')].some((one) => isThing(one['link']))) {
    found.add('url');
  }
}

function addChecklist(checklist: Thing, found: Set<MessageType>): void {
  addEntities(checklist, ['title_entities'], found);
  for (const task of thingsAt(checklist, 'tasks')) {
    addEntities(task, ['text_entities'], found);
  }
}

/** A preview can show a page whose address is nowhere in the text. */
function hasPreviewLink(message: Thing): boolean {
  const preview = thingAt(message, 'link_preview_options');
  return isAddress(preview['url']) && preview['is_disabled'] !== true;
}

function hasButtonLink(message: Thing): boolean {
  const rows = thingAt(message, 'reply_markup')['inline_keyboard'];
  return (
    Array.isArray(rows) &&
    rows.some((row: unknown) => Array.isArray(row) && row.filter(isThing).some(isLinkButton))
  );
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
