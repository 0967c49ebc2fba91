/** Finds links by which people join a Telegram chat, wherever a message shows or opens them. */
import { isJsonObject, type JsonObject } from './incoming-message.ts';

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
export function hasInviteLink(message: JsonObject): boolean {
  const open: (readonly [field: string, value: unknown])[] = ownFields.map((field) => [
    field,
    message[field],
  ]);
  // Without recursion, because a malformed message may nest endlessly.
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [field, value] = next;
    if (typeof value === 'string' && shownFields.has(field) && inviteLink.test(value)) {
      return true;
    }
    // Parts of a list are what the list is: a rich text is a list of words and marked words.
    const parts = Array.isArray(value)
      ? value.map((part: unknown) => [field, part] as const)
      : isJsonObject(value)
        ? Object.entries(value).filter(([name]) => !skippedFields.has(name))
        : [];
    for (const part of parts) {
      open.push(part);
    }
  }
  return false;
}
