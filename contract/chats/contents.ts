/** What the bot sends in a chat's name: greetings, rules, answers and notes. A text with its formatting, one medium, buttons. */
import * as v from 'valibot';

/** UTF-16 code units, as Telegram counts them. A text below a medium has a limit of its own. */
export const contentLimits = {
  text: 4000,
  caption: 1024,
  entities: 100,
  buttons: 20,
  buttonsInRow: 8,
  label: 64,
  url: 1024,
} as const;

/** The longest text of each kind of content. */
export const contentLengths = {
  welcome: 2000,
  goodbye: 1000,
  rules: 4000,
  filter: 4000,
  note: 4000,
} as const;
export type ContentKind = keyof typeof contentLengths;

/** The formatting that Telegram lets a bot send; what it recognises by itself, such as links, needs none. */
export const entityTypes = [
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'blockquote',
  'expandable_blockquote',
  'code',
  'pre',
  'text_link',
  'custom_emoji',
] as const;

const position = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(contentLimits.text));

const entity = v.strictObject({
  type: v.picklist(entityTypes),
  offset: position,
  length: v.pipe(position, v.minValue(1)),
  /** Of a `text_link`. */
  url: v.optional(v.pipe(v.string(), v.maxLength(contentLimits.url))),
  /** Of a `pre`. */
  language: v.optional(v.pipe(v.string(), v.maxLength(32))),
  custom_emoji_id: v.optional(v.pipe(v.string(), v.maxLength(32))),
});
export type ContentEntity = v.InferOutput<typeof entity>;

export const mediaKinds = [
  'photo',
  'video',
  'animation',
  'audio',
  'voice',
  'document',
  'sticker',
  'video_note',
] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** Media that Telegram sends without a text. */
export const mediaWithoutCaption: ReadonlySet<MediaKind> = new Set(['sticker', 'video_note']);

export const contentMedia = v.strictObject({
  kind: v.picklist(mediaKinds),
  /** Of Telegram, for the bot with this ID alone: another bot cannot send it. */
  file_id: v.pipe(v.string(), v.minLength(1), v.maxLength(256)),
  bot_id: v.pipe(v.number(), v.safeInteger()),
});
export type ContentMedia = v.InferOutput<typeof contentMedia>;

/** Where a button leads: to an address, to the rules of the chat, or to one of its notes. */
export const contentButton = v.pipe(
  v.strictObject({
    label: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(contentLimits.label)),
    url: v.optional(
      v.pipe(v.string(), v.maxLength(contentLimits.url), v.regex(/^(?:https?:\/\/|tg:\/\/)\S+$/i)),
    ),
    to: v.optional(
      v.pipe(v.string(), v.regex(/^(?:rules|note:[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}_-]{1,32})$/u)),
    ),
  }),
  v.check(({ url, to }) => (url === undefined) !== (to === undefined)),
);
export type ContentButton = v.InferOutput<typeof contentButton>;

export const contentBody = v.pipe(
  v.strictObject({
    text: v.pipe(v.string(), v.maxLength(contentLimits.text)),
    entities: v.pipe(v.array(entity), v.maxLength(contentLimits.entities)),
    media: v.optional(contentMedia),
    /** Rows. */
    buttons: v.pipe(
      v.array(
        v.pipe(v.array(contentButton), v.minLength(1), v.maxLength(contentLimits.buttonsInRow)),
      ),
      v.check((rows) => rows.flat().length <= contentLimits.buttons),
    ),
  }),
  v.check(({ text, media: medium }) => medium !== undefined || text.trim() !== ''),
  v.check(
    ({ text, media: medium }) => medium === undefined || text.length <= contentLimits.caption,
  ),
  v.check(({ text, entities }) =>
    entities.every(({ offset, length }) => offset + length <= text.length),
  ),
);
export type ContentBody = v.InferOutput<typeof contentBody>;
