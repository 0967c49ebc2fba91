/**
 * Media of messages: which one a message has, and how each kind is sent, by the ID that Telegram gave it, by its address or
 * as a file; and how a message is edited.
 */
import { type Api, InputFile, InputMediaBuilder } from 'grammy';
import { type InlineKeyboardMarkup, type Message, type MessageEntity } from 'grammy/types';

import { type MediaKind } from '#contract/chats/contents';
import { AppError } from '#server/lib/errors';
import { fetchReply, NoReply } from '#server/upstream/fetch-json';

import { type ActionOutcome, callForOutcome } from './calls.ts';

/** `fileId` is Telegram's own, for this bot alone. */
export type Medium = { readonly kind: MediaKind; readonly fileId: string };

/** The medium of a message; undefined for one without, and for what the bot cannot send again, such as a poll. */
export function readMedium(message: Message): Medium | undefined {
  const { animation, photo, video, audio, voice, document, sticker, video_note } = message;
  // Telegram fills `document` for an animation, too. Of a photo it sends all sizes, the largest last.
  const found = {
    animation,
    photo: photo?.at(-1),
    video,
    audio,
    voice,
    sticker,
    video_note,
    document,
  } as const satisfies Readonly<Record<MediaKind, unknown>>;
  return order
    .map((kind) => ({ kind, fileId: found[kind]?.file_id }))
    .find((medium): medium is Medium => medium.fileId !== undefined);
}

const order = [
  'animation',
  'photo',
  'video',
  'audio',
  'voice',
  'sticker',
  'video_note',
  'document',
] as const satisfies readonly MediaKind[];

type Options = NonNullable<Parameters<Api['sendPhoto']>[2]> &
  NonNullable<Parameters<Api['sendSticker']>[2]> &
  NonNullable<Parameters<Api['sendVideoNote']>[2]>;

type Send = (
  api: Api,
  chatId: number,
  sent: { readonly file: string | InputFile; readonly options: Options },
) => Promise<Message>;

/** Stickers and video notes take no text. */
export const sendMedium: Readonly<Record<MediaKind, Send>> = {
  photo: (api, chatId, { file, options }) => api.sendPhoto(chatId, file, options),
  video: (api, chatId, { file, options }) => api.sendVideo(chatId, file, options),
  animation: (api, chatId, { file, options }) => api.sendAnimation(chatId, file, options),
  audio: (api, chatId, { file, options }) => api.sendAudio(chatId, file, options),
  voice: (api, chatId, { file, options }) => api.sendVoice(chatId, file, options),
  document: (api, chatId, { file, options }) => api.sendDocument(chatId, file, options),
  sticker: (api, chatId, { file, options }) => api.sendSticker(chatId, file, options),
  video_note: (api, chatId, { file, options }) => api.sendVideoNote(chatId, file, options),
};

/** A file for a chat: the address at which Telegram gets it, or the bytes. */
type FileToSend = {
  readonly kind: 'photo' | 'video' | 'audio' | 'voice' | 'document';
  readonly file: string | { readonly name: string; readonly bytes: Uint8Array };
};

/** What is in a set of stickers is of one of these. */
export type StickerFormat = 'static' | 'animated' | 'video';

type NewSticker = {
  /** Whose set it is. */
  readonly telegramId: number;
  readonly setName: string;
  readonly fileId: string;
  readonly format: StickerFormat;
  readonly emoji: string;
};

type In<T = true> = Promise<ActionOutcome<T>>;

type StickerActions = {
  /** The bytes of a file that the bot was sent, at most 20 MB; undefined when there are more, or none any more. */
  readonly readFile: (fileId: string, maxBytes: number) => In<Uint8Array | undefined>;
  /** Makes a file of 512 pixels ready for a set. Returns its ID. */
  readonly uploadSticker: (telegramId: number, webp: Uint8Array) => In<string>;
  readonly createStickerSet: (sticker: NewSticker & { readonly title: string }) => In;
  readonly addSticker: (sticker: NewSticker) => In;
  readonly removeSticker: (fileId: string) => In;
};

export type MediaActions = StickerActions & {
  /** Sends up to ten files as one message. Several are photos and videos, or audio files alone. */
  readonly sendFiles: (message: {
    readonly chatId: number;
    readonly topicId: number | undefined;
    readonly replyTo: number | undefined;
    /** Below the first one; at most 1024 characters. */
    readonly text: string;
    readonly files: readonly FileToSend[];
    /** A message of the bot that becomes one photo, which is covered until it is tapped. */
    readonly replacesId?: number | undefined;
  }) => In;
};

const toInput = (file: FileToSend['file']) =>
  typeof file === 'string' ? file : new InputFile(file.bytes, file.name);

function toAlbum(files: readonly FileToSend[], caption: { readonly caption?: string }) {
  const at = (index: number) => (index === 0 ? caption : {});
  return files.every(({ kind }) => kind === 'audio')
    ? files.map(({ file }, index) => InputMediaBuilder.audio(toInput(file), at(index)))
    : files.map(({ kind, file }, index) =>
        kind === 'video'
          ? InputMediaBuilder.video(toInput(file), at(index))
          : InputMediaBuilder.photo(toInput(file), at(index)),
      );
}

export function mediaActions(api: Api, server: Server): MediaActions {
  return {
    ...stickerActions(api, server),
    sendFiles: ({ chatId, topicId, replyTo, text, files, replacesId }) =>
      callForOutcome(async () => {
        const options = {
          ...(topicId === undefined ? {} : { message_thread_id: topicId }),
          ...(replyTo === undefined
            ? {}
            : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
        };
        const caption = text === '' ? {} : { caption: text };
        const [first, ...others] = files;
        if (first !== undefined && replacesId !== undefined) {
          const covered = { ...caption, has_spoiler: true };
          const photo = InputMediaBuilder.photo(toInput(first.file), covered);
          await api.editMessageMedia(chatId, replacesId, photo);
          return true as const;
        }
        if (first !== undefined && others.length === 0) {
          const sent = { file: toInput(first.file), options: { ...options, ...caption } };
          await sendMedium[first.kind](api, chatId, sent);
        } else {
          await api.sendMediaGroup(chatId, toAlbum(files, caption), options);
        }
        return true as const;
      }),
  };
}

/** A message of the bot; an ephemeral one has the ID 0. */
type Edited = {
  readonly chatId: number;
  readonly messageId: number;
  readonly text: string;
  readonly onlyFor?: { readonly telegramId: number; readonly ephemeralId: number } | undefined;
};

type NewPhoto = {
  /** By which Telegram has it, or an address from which it gets it. */
  readonly fileId: string;
  readonly caption: string;
  readonly caption_entities: MessageEntity[];
  readonly reply_markup?: InlineKeyboardMarkup;
};

export async function editText(
  api: Api,
  { chatId, messageId, onlyFor, text }: Edited,
  options: Parameters<Api['editMessageText']>[3] & Parameters<Api['editEphemeralMessageText']>[4],
): Promise<true> {
  await (onlyFor === undefined
    ? api.editMessageText(chatId, messageId, text, options)
    : api.editEphemeralMessageText(chatId, onlyFor.telegramId, onlyFor.ephemeralId, text, options));
  return true;
}

/** Also adds one to a message that was a text. */
export async function editPhoto(
  api: Api,
  { chatId, messageId, onlyFor }: Omit<Edited, 'text'>,
  { fileId: media, caption, caption_entities, ...markup }: NewPhoto,
): Promise<true> {
  const photo = { type: 'photo', media, caption, caption_entities } as const;
  await (onlyFor === undefined
    ? api.editMessageMedia(chatId, messageId, photo, markup)
    : api.editEphemeralMessageMedia(
        chatId,
        onlyFor.telegramId,
        onlyFor.ephemeralId,
        photo,
        markup,
      ));
  return true;
}

type Server = { readonly token: string; readonly apiRoot?: string | undefined };

const ownRoot = 'https://api.telegram.org';
const fileTimeoutMs = 60_000;

/** Undefined when it is too large, or gone. No error names the address, which has the token in it. */
async function loadFile(
  { token, apiRoot = '' }: Server,
  path: string,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const root = apiRoot === '' ? ownRoot : apiRoot.replace(/\/+$/, '');
  try {
    const { status, bytes } = await fetchReply({
      service: 'telegram-files',
      url: `${root}/file/bot${token}/${path}`,
      timeoutMs: fileTimeoutMs,
      maxBytes,
    });
    return status === 200 ? bytes : undefined;
  } catch (error) {
    if (error instanceof NoReply && error.reason === 'too-large') {
      return undefined;
    }
    throw new AppError('telegram_unavailable');
  }
}

const toSticker = ({ fileId, format, emoji }: NewSticker) => ({
  sticker: fileId,
  format,
  emoji_list: [emoji],
});

async function isDone(call: Promise<unknown>): Promise<true> {
  await call;
  return true;
}

function stickerActions(api: Api, server: Server): StickerActions {
  return {
    readFile: async (fileId, maxBytes) => {
      const found = await callForOutcome(() => api.getFile(fileId));
      if (found.kind !== 'done') {
        return found;
      }
      const { file_path: path, file_size: size = 0 } = found.result;
      try {
        const result =
          path === undefined || size > maxBytes
            ? undefined
            : await loadFile(server, path, maxBytes);
        return { kind: 'done', result };
      } catch (error) {
        if (error instanceof AppError) {
          return { kind: 'later', retryAfterS: undefined };
        }
        throw error;
      }
    },
    uploadSticker: (telegramId, webp) =>
      callForOutcome(async () => {
        const input = new InputFile(webp, 'sticker.webp');
        const file = await api.uploadStickerFile(telegramId, 'static', input);
        return file.file_id;
      }),
    createStickerSet: ({ title, ...sticker }) =>
      callForOutcome(() =>
        isDone(
          api.createNewStickerSet(sticker.telegramId, sticker.setName, title, [toSticker(sticker)]),
        ),
      ),
    addSticker: (sticker) =>
      callForOutcome(() =>
        isDone(api.addStickerToSet(sticker.telegramId, sticker.setName, toSticker(sticker))),
      ),
    removeSticker: (fileId) => callForOutcome(() => isDone(api.deleteStickerFromSet(fileId))),
  };
}
