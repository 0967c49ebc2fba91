/** What the bot answers where it is written to by its name in any chat, and what is pressed under messages sent so. */
import { type Api } from 'grammy';
import {
  type InlineKeyboardButton,
  type InlineQueryResult,
  type MessageEntity,
} from 'grammy/types';

import { type ActionOutcome, callForOutcome } from './calls.ts';
import { type Medium } from './media.ts';

/** A button under what is sent: opens an address, is told to the bot, or begins another query in the same chat. */
type InlineButton = { readonly text: string } & (
  | { readonly url: string }
  | { readonly data: string }
  | { readonly query: string }
);

/** A picture by its address; Telegram wants a JPEG of at most 5 MB, and shows the small one in the list. */
type PictureLink = {
  readonly url: string;
  readonly smallUrl: string;
  readonly width: number;
  readonly height: number;
};

/** A file that Telegram has for this bot. It knows no such result for a video note. */
type InlineMedium = Medium & { readonly kind: Exclude<Medium['kind'], 'video_note'> };

/** What can be chosen, and is sent then. */
export type InlineResult = {
  /** 1 to 64 bytes; unique in the answer. */
  readonly id: string;
  readonly title: string;
  readonly description?: string | undefined;
  /** Sent as a message, or below what is sent. Offsets are UTF-16 code units. */
  readonly text: string;
  readonly entities?: readonly MessageEntity[];
  /** Whether a preview of the first link is shown. */
  readonly hasPreview?: boolean;
  /** Shown in the list. */
  readonly thumbnailUrl?: string | undefined;
  readonly medium?: InlineMedium | undefined;
  /** Sent where there is no medium. */
  readonly picture?: PictureLink | undefined;
  /** Rows. */
  readonly buttons?: readonly (readonly InlineButton[])[];
};

export type InlineAnswer = {
  readonly results: readonly InlineResult[];
  /** How long Telegram may give the same answer again. */
  readonly cacheS: number;
  /** Telegram gives it to this person alone. */
  readonly isPersonal: boolean;
  /** At most 64 bytes; absent after the last results. */
  readonly nextOffset?: string | undefined;
  /** Above the results: leads to the private chat with the bot. */
  readonly button?: { readonly text: string; readonly startParameter: string } | undefined;
};

type Outcome = Promise<ActionOutcome>;

/** Each resolves with Telegram's answer, and never rejects because of it. */
export type InlineActions = {
  /** Within 30 seconds. */
  readonly answerInline: (queryId: string, answer: InlineAnswer) => Outcome;
  /** Writes once, in a chat that the bot is not in. */
  readonly answerGuest: (queryId: string, result: InlineResult) => Outcome;
  /** Ends the waiting of a pressed button. The text stays until it is closed; at most 200 characters. */
  readonly alertPress: (pressId: string, text: string) => Outcome;
};

export function inlineActions(api: Api): InlineActions {
  return {
    answerInline: (queryId, { results, cacheS, isPersonal, nextOffset, button }) =>
      callForOutcome(() =>
        api.answerInlineQuery(queryId, results.map(toResult), {
          cache_time: cacheS,
          is_personal: isPersonal,
          ...(nextOffset === undefined ? {} : { next_offset: nextOffset }),
          ...(button === undefined
            ? {}
            : { button: { text: button.text, start_parameter: button.startParameter } }),
        }),
      ),
    answerGuest: (queryId, result) =>
      callForOutcome(async () => {
        await api.answerGuestQuery(queryId, toResult(result));
        return true as const;
      }),
    alertPress: (pressId, text) =>
      callForOutcome(() => api.answerCallbackQuery(pressId, { text, show_alert: true })),
  };
}

function toResult(result: InlineResult): InlineQueryResult {
  const { id, title, description, text, entities = [], medium, picture, buttons = [] } = result;
  const named = {
    id,
    title,
    ...(description === undefined ? {} : { description }),
    ...(buttons.length === 0
      ? {}
      : { reply_markup: { inline_keyboard: buttons.map((row) => row.map(toButton)) } }),
  };
  const captioned = {
    ...named,
    ...(text === '' ? {} : { caption: text, caption_entities: [...entities] }),
  };
  if (medium !== undefined) {
    return toCached(medium, captioned);
  }
  if (picture !== undefined) {
    return {
      type: 'photo',
      ...captioned,
      photo_url: picture.url,
      thumbnail_url: picture.smallUrl,
      photo_width: picture.width,
      photo_height: picture.height,
    };
  }
  return {
    type: 'article',
    ...named,
    ...(result.thumbnailUrl === undefined ? {} : { thumbnail_url: result.thumbnailUrl }),
    input_message_content: {
      message_text: text,
      entities: [...entities],
      link_preview_options: { is_disabled: result.hasPreview !== true },
    },
  };
}

type Captioned = Pick<InlineResult, 'id'> & {
  readonly title: string;
  readonly description?: string;
  readonly caption?: string;
  readonly caption_entities?: MessageEntity[];
};

function toCached(
  { kind, fileId }: InlineMedium,
  { title, description, ...rest }: Captioned,
): InlineQueryResult {
  const titled = { ...rest, title, ...(description === undefined ? {} : { description }) };
  const cached: Readonly<Record<InlineMedium['kind'], InlineQueryResult>> = {
    photo: { type: 'photo', ...titled, photo_file_id: fileId },
    video: { type: 'video', ...titled, video_file_id: fileId },
    animation: { type: 'mpeg4_gif', ...rest, title, mpeg4_file_id: fileId },
    audio: { type: 'audio', ...rest, audio_file_id: fileId },
    voice: { type: 'voice', ...rest, title, voice_file_id: fileId },
    document: { type: 'document', ...titled, document_file_id: fileId },
    sticker: { type: 'sticker', id: rest.id, sticker_file_id: fileId },
  };
  return cached[kind];
}

function toButton({ text, ...button }: InlineButton): InlineKeyboardButton {
  if ('url' in button) {
    return { text, url: button.url };
  }
  return 'data' in button
    ? { text, callback_data: button.data }
    : { text, switch_inline_query_current_chat: button.query };
}

/** A photo that Telegram has, or JPEGs that it can load: of at most 5 MB, and a small one. */
export type SharedPhoto = { readonly id: string } & (
  | { readonly fileId: string }
  | {
      readonly url: string;
      readonly previewUrl: string;
      readonly width: number;
      readonly height: number;
    }
);

/** As a message that is prepared for a user has it. */
export function toSharedResult({ id, ...photo }: SharedPhoto): InlineQueryResult {
  if ('fileId' in photo) {
    return { type: 'photo', id, photo_file_id: photo.fileId };
  }
  return {
    type: 'photo',
    id,
    photo_url: photo.url,
    thumbnail_url: photo.previewUrl,
    photo_width: photo.width,
    photo_height: photo.height,
  };
}
