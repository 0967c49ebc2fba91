/** Ready-made sets of blocked message kinds that a topic can be given in one go. */
import { allMessageTypes, type MessageType, settingName } from './message-types.ts';

const everythingBut = (allowed: readonly MessageType[]): readonly MessageType[] =>
  allMessageTypes.filter((type) => !allowed.includes(type));

/** What may go along with words: parts of a text, which are no message of their own. */
const partsOfText = ['text', 'url', 'mention', 'hashtag', 'custom_emoji', 'spoiler'] as const;

/** Preset → the types it blocks; all others it allows. Administrators are never held up. */
const blockedBy = {
  announcements_only: allMessageTypes,
  text_only: everythingBut(partsOfText),
  photos_and_text: everythingBut([...partsOfText, 'photo']),
  no_links_or_forwards: ['url', 'forward', 'via_bot'],
  /** What makes noise or moves: for the hours in which people sleep. */
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

/** Every setting of a topic as the preset wants it: setting name → blocked. */
export function getPresetSettings(preset: Preset): Readonly<Record<string, boolean>> {
  const blocked: readonly MessageType[] = blockedBy[preset];
  return Object.fromEntries(
    allMessageTypes.map((type) => [settingName(type), blocked.includes(type)]),
  );
}
