/** The message types that a chat can block, in the words of Telegram's Bot API. */
import { messageTypeLabels } from './message-type-texts.ts';

/** The types of the specification by group, in the order in which settings are listed. */
export const messageTypes = {
  media: [
    'photo',
    'video',
    'animation',
    'audio',
    'voice',
    'video_note',
    'document',
    'sticker',
    'paid_media',
    'story',
  ],
  objects: ['poll', 'checklist', 'location', 'venue', 'contact', 'dice', 'game', 'giveaway'],
  text: ['text', 'url', 'mention', 'hashtag', 'bot_command', 'custom_emoji', 'spoiler'],
  origin: ['forward', 'via_bot'],
} as const;

/**
 * Types that the specification does not know. A client offers them only where the server announces them,
 * and the server lists them only where they are blocked, so that either works with others.
 */
export const moreMessageTypes = {
  content: [
    'external_reply',
    'quote',
    'email',
    'phone_number',
    'gift',
    'invoice',
    'channel_sender',
    'invite_link',
  ],
  /** Messages that Telegram writes about what happened in the chat. */
  service: [
    'new_member',
    'left_member',
    'pinned_message',
    'title_change',
    'photo_change',
    'topic_change',
    'list_change',
    'video_chat',
    'boost',
    'other_service',
  ],
} as const;

export type MessageType =
  | (typeof messageTypes)[keyof typeof messageTypes][number]
  | (typeof moreMessageTypes)[keyof typeof moreMessageTypes][number];

const specifiedTypes: readonly MessageType[] = Object.values(messageTypes).flat();
const moreTypes: readonly MessageType[] = Object.values(moreMessageTypes).flat();

/** All types in the order in which settings are listed. */
export const allMessageTypes: readonly MessageType[] = [...specifiedTypes, ...moreTypes];

const suffix = '_blocked';

/** The key of a type's setting on the wire: `photo` → `photo_blocked`. */
export function settingName(type: MessageType): `${MessageType}_blocked` {
  return `${type}${suffix}`;
}

/** The setting names of the specification. Every topic has them. */
export const settingNames: readonly string[] = specifiedTypes.map(settingName);

/** The setting names that only our server accepts. A topic without one of them allows that type. */
export const moreSettingNames: readonly string[] = moreTypes.map(settingName);

const allSettingNames: ReadonlySet<string> = new Set([...settingNames, ...moreSettingNames]);

/** Whether it is the setting of a message type, and no other reason to delete a message. */
export const isMessageSetting = (name: string): boolean => allSettingNames.has(name);

const labels: Readonly<Record<string, string>> = messageTypeLabels satisfies Record<
  MessageType,
  string
>;

/** The label of a setting name: `video_note_blocked` → `video note`. Unknown settings are called by their names. */
export function settingLabel(name: string): string {
  const type = name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
  return (Object.hasOwn(labels, type) && labels[type]) || type.replaceAll('_', ' ');
}
