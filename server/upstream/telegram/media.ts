/** Media of messages: which one a message has, and how each kind is sent, by the ID that Telegram gave it or as a file. */
import { type Api, type InputFile } from 'grammy';
import { type Message } from 'grammy/types';

import { type MediaKind } from '#contract/chats/contents';

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
