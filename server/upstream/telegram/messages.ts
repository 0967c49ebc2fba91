/** A message of the bot: how Telegram wants its place, text and buttons, and how it becomes a picture. */
import { type Api, InputFile } from 'grammy';
import { type InlineKeyboardButton, type MessageEntity } from 'grammy/types';

import { type AnswerButton, toButton } from './bot.ts';
import { type ActionOutcome, callForOutcome } from './calls.ts';
import { type Medium } from './media.ts';

/**
 * A button under a message: opens an address, Nori inside Telegram (private chats only), is told to the bot, or lets a
 * chat be chosen in which what the bot finds for `inline` is sent.
 */
export type MessageButton =
  | AnswerButton
  | { readonly text: string; readonly data: string }
  | { readonly text: string; readonly inline: string };

/** Telegram takes at most 64 bytes. */
export function buttonData(verb: string, id: string): string {
  return `v1:${verb}:${id}`;
}

export type BotMessage = {
  readonly chatId: number;
  /** With a medium the text below it, which may be empty. */
  readonly text: string;
  /** `textWhenLost` stands for it where there is no text, and Telegram does not have the file any more. */
  readonly media?: (Medium & { readonly textWhenLost: string }) | undefined;
  /** Cannot be forwarded or saved. */
  readonly isProtected?: boolean | undefined;
  /** Offsets are UTF-16 code units. There is no parse mode: names are never markup. */
  readonly entities?: readonly MessageEntity[];
  /** Undefined outside of topics, and in General. */
  readonly topicId?: number | undefined;
  /** It is sent all the same when that message is gone, or an ephemeral one is too old. */
  readonly replyTo?: number | undefined;
  /** Rows of buttons. */
  readonly buttons?: readonly (readonly MessageButton[])[];
  /** Seen by this user of the group alone: an ephemeral message. */
  readonly onlyFor?: {
    readonly telegramId: number;
    /** The press that it answers; needed while the bot is no administrator. */
    readonly pressId?: string | undefined;
    /** The ephemeral command that it answers, within 15 seconds. */
    readonly replyToEphemeral?: number | undefined;
  };
};

export function toSendOptions({ entities = [], ...message }: BotMessage) {
  return {
    ...toPlaceOptions(message),
    ...toContentOptions({ entities, buttons: message.buttons ?? [] }),
  };
}

export function toMediaOptions({ text, entities = [], buttons = [], ...message }: BotMessage) {
  return {
    ...toPlaceOptions(message),
    ...toMarkup(buttons),
    ...(text === '' ? {} : { caption: text, caption_entities: [...entities] }),
  };
}

function toPlaceOptions({
  topicId,
  replyTo,
  onlyFor,
  isProtected,
}: Pick<BotMessage, 'topicId' | 'replyTo' | 'onlyFor' | 'isProtected'>) {
  return {
    ...(topicId === undefined ? {} : { message_thread_id: topicId }),
    ...(isProtected === true ? { protect_content: true } : {}),
    ...toReplyOptions(replyTo, onlyFor?.replyToEphemeral),
    ...(onlyFor === undefined
      ? {}
      : {
          ephemeral_message_parameters: {
            receiver_user_id: onlyFor.telegramId,
            ...(onlyFor.pressId === undefined ? {} : { callback_query_id: onlyFor.pressId }),
          },
        }),
  };
}

function toReplyOptions(replyTo: number | undefined, replyToEphemeral: number | undefined) {
  if (replyToEphemeral !== undefined) {
    return { reply_parameters: { ephemeral_message_id: replyToEphemeral } };
  }
  return replyTo === undefined
    ? {}
    : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } };
}

export function toContentOptions({
  entities = [],
  buttons = [],
}: Pick<BotMessage, 'entities' | 'buttons'>) {
  return {
    link_preview_options: { is_disabled: true },
    ...(entities.length === 0 ? {} : { entities: [...entities] }),
    ...toMarkup(buttons),
  };
}

export const toMarkup = (buttons: NonNullable<BotMessage['buttons']>) =>
  buttons.length === 0
    ? {}
    : { reply_markup: { inline_keyboard: buttons.map((row) => row.map(toMessageButton)) } };

export function toMessageButton(button: MessageButton): InlineKeyboardButton {
  if ('inline' in button) {
    return { text: button.text, switch_inline_query: button.inline };
  }
  return 'data' in button ? { text: button.text, callback_data: button.data } : toButton(button);
}

/** A picture as a file in memory. */
type PictureFile = {
  /** Telegram shows a photo, and hands a document on as it is. */
  readonly kind: 'photo' | 'document';
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Of a photo: it is hidden until it is pressed. */
  readonly hasSpoiler?: boolean;
};

type PictureMessage = Pick<BotMessage, 'chatId' | 'text' | 'buttons'> & {
  readonly messageId: number;
  readonly file: PictureFile;
};

type Draft = Pick<BotMessage, 'chatId' | 'topicId' | 'text'> & {
  /** Not 0. The same one goes on with the draft. */
  readonly draftId: number;
};

/** By which Telegram has a photo from now on, in its largest size; undefined for a document. */
type ShownPicture = { readonly fileId: string | undefined };

export type PictureActions = {
  /** Puts a picture in the place of the text of a message of the bot. Again changes nothing that is seen. */
  readonly editToPicture: (message: PictureMessage) => Promise<ActionOutcome<ShownPicture>>;
  readonly sendPicture: (
    message: BotMessage & { readonly file: PictureFile },
  ) => Promise<ActionOutcome>;
  /** In a private chat: shows for half a minute what is being made, with a button that stops it. */
  readonly draft: (draft: Draft) => Promise<ActionOutcome>;
};

/** `files` waits long enough for a file to be sent. */
export function pictureActions(api: Api, files: Api): PictureActions {
  return {
    editToPicture: ({ chatId, messageId, text, buttons = [], file }) =>
      callForOutcome(async () => {
        const media = {
          media: new InputFile(file.bytes, file.name),
          ...(text === '' ? {} : { caption: text }),
        };
        const shown = await files.editMessageMedia(
          chatId,
          messageId,
          file.kind === 'photo'
            ? { type: 'photo', ...media, has_spoiler: file.hasSpoiler === true }
            : { type: 'document', ...media, disable_content_type_detection: true },
          toMarkup(buttons),
        );
        return { fileId: shown === true ? undefined : shown.photo?.at(-1)?.file_id };
      }),
    sendPicture: ({ file, ...message }) =>
      callForOutcome(async () => {
        const sent = new InputFile(file.bytes, file.name);
        const options = toMediaOptions(message);
        await (file.kind === 'photo'
          ? files.sendPhoto(message.chatId, sent, {
              ...options,
              has_spoiler: file.hasSpoiler === true,
            })
          : files.sendDocument(message.chatId, sent, {
              ...options,
              disable_content_type_detection: true,
            }));
        return true as const;
      }),
    draft: ({ chatId, topicId, draftId, text }) =>
      callForOutcome(() =>
        api.sendMessageDraft(chatId, draftId, text, {
          can_stop: true,
          ...(topicId === undefined ? {} : { message_thread_id: topicId }),
        }),
      ),
  };
}
