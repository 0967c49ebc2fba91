/** Named sets of message types to block. */
import { allMessageTypes, type MessageType, settingName } from './message-types.ts';

const allExcept = (allowed: readonly MessageType[]): readonly MessageType[] =>
  allMessageTypes.filter((type) => !allowed.includes(type));

/** Types that are parts of a text message and not messages of their own. */
const partsOfText = ['text', 'url', 'mention', 'hashtag', 'custom_emoji', 'spoiler'] as const;

/** Preset → the types it blocks; it allows all others. */
const blockedBy = {
  announcements_only: allMessageTypes,
  text_only: allExcept(partsOfText),
  photos_and_text: allExcept([...partsOfText, 'photo']),
  no_links_or_forwards: ['url', 'forward', 'via_bot'],
  /** Types that make noise or move. */
  quiet_night: [
    'video',
    'animation',
    'audio',
    'voice',
    'video_note',
    'sticker',
    'poll',
    'dice',
    'game',
    'giveaway',
    'mention',
    'bot_command',
    'via_bot',
  ],
} as const satisfies Record<string, readonly MessageType[]>;

export type Preset = keyof typeof blockedBy;

/** All presets in the order in which they are offered. */
export const presets = Object.keys(blockedBy).filter((name): name is Preset => name in blockedBy);

/** All settings of a topic: setting name → blocked. */
export function getPresetSettings(preset: Preset): Readonly<Record<string, boolean>> {
  const blocked: readonly MessageType[] = blockedBy[preset];
  return Object.fromEntries(
    allMessageTypes.map((type) => [settingName(type), blocked.includes(type)]),
  );
}
