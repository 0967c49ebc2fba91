/** The message types that a chat can block, in the words of Telegram's Bot API. */

/** The types by group, in the order in which settings are listed. */
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

export type MessageType = (typeof messageTypes)[keyof typeof messageTypes][number];

/** All 27 types in the order in which settings are listed. */
export const allMessageTypes: readonly MessageType[] = Object.values(messageTypes).flat();

const suffix = '_blocked';

/** The key of a type's setting on the wire: `photo` → `photo_blocked`. */
export function settingName(type: MessageType): `${MessageType}_blocked` {
  return `${type}${suffix}`;
}

/** The setting names that our server accepts. */
export const settingNames: readonly string[] = allMessageTypes.map(settingName);

/** The label of a setting name, known or not: `video_note_blocked` → `video note`. */
export function settingLabel(name: string): string {
  return (name.endsWith(suffix) ? name.slice(0, -suffix.length) : name).replaceAll('_', ' ');
}
