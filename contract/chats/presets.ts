/** Named sets of message types to block. */
import {
  allMessageTypes,
  type MessageType,
  moreMessageTypes,
  settingName,
  settingNames,
} from './message-types.ts';

/** A preset says what people may write. What Telegram itself writes stays as it is set. */
const written: readonly MessageType[] = allMessageTypes.filter(
  (type) => !moreMessageTypes.service.some((service) => service === type),
);

const allExcept = (allowed: readonly MessageType[]): readonly MessageType[] =>
  written.filter((type) => !allowed.includes(type));

/** Types that are parts of a text message, or say who wrote it, and not messages of their own. */
const partsOfText = [
  'text',
  'url',
  'mention',
  'hashtag',
  'custom_emoji',
  'spoiler',
  'quote',
  'email',
  'phone_number',
  'channel_sender',
  'invite_link',
] as const;

/** Preset → the types it blocks; it allows all others that people write. */
const blockedBy = {
  announcements_only: written,
  text_only: allExcept(partsOfText),
  photos_and_text: allExcept([...partsOfText, 'photo']),
  no_links_or_forwards: ['url', 'forward', 'via_bot', 'external_reply', 'invite_link'],
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

/**
 * The settings of a topic: setting name → blocked. Those that the specification does not know are left
 * out unless the server offers them (`withMore`).
 */
export function getPresetSettings(
  preset: Preset,
  { withMore }: { readonly withMore: boolean } = { withMore: false },
): Readonly<Record<string, boolean>> {
  const blocked: readonly MessageType[] = blockedBy[preset];
  return Object.fromEntries(
    written
      .map((type) => [settingName(type), blocked.includes(type)] as const)
      .filter(([name]) => withMore || settingNames.includes(name)),
  );
}
