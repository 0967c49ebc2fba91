/** Contents of a chat: what the bot sends as greeting, rules, note or answer. A value names a content by its ID. */
import * as v from 'valibot';

import { contentBody, contentMedia, mediaKinds } from '#contract/chats/contents';
import { isSettable, readListedName, wholeChat } from '#contract/chats/values';

import { chatFieldTexts } from './chat-texts.ts';
import { chatId, endpoint } from './endpoint.ts';

/** The capability that announces these endpoints; other backends have none of them. */
export const chatContents = 'chats.contents';

/** Saves a content, which a value can name then; one that no value names within a day is removed. */
export const saveContent = endpoint({
  method: 'POST',
  path: '/chats/:chat_id/contents',
  input: v.strictObject({ chat_id: chatId, body: contentBody }),
  output: v.object({ id: v.string() }),
  status: 201,
});

/** Of a file for a content, in bytes. */
export const maxMediaBytes = 20 * 1024 * 1024;

/**
 * Hands a file to Telegram, through the user's private chat with the bot, where it is deleted again. The answer is
 * for the body of a content. Refused with `bot_not_started` while the bot may not write to the user.
 */
export const uploadMedia = endpoint({
  method: 'POST',
  path: '/chats/:chat_id/contents/media',
  isForm: true,
  maxBytes: maxMediaBytes,
  input: v.looseObject({
    chat_id: chatId,
    media_kind: v.picklist(mediaKinds, chatFieldTexts.unknownMedia),
    /** With its name, by which Telegram shows a document. */
    file: v.instance(Blob, chatFieldTexts.fileMissing),
    file_name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100))),
  }),
  output: v.object({ media: contentMedia }),
});

/** Whether a value of this name names a content. */
function isContentName(name: string): boolean {
  const kind = readListedName(name)?.kind;
  return kind === 'note' || kind === 'filter' || /^(?:welcome|goodbye|rules)_content$/.test(name);
}

/**
 * Has the bot write to the user in private: their next message there becomes the content of this value. `link` opens
 * that chat. The value changes when the message has come; the page hears of it as of any change.
 */
export const requestContent = endpoint({
  method: 'POST',
  path: '/chats/:chat_id/contents/request',
  input: v.pipe(
    v.strictObject({
      chat_id: chatId,
      value_name: v.pipe(v.string(), v.maxLength(80)),
      place: v.optional(
        v.pipe(v.string(), v.regex(/^(?:chat|0|[1-9]\d{0,9})$/, chatFieldTexts.unknownPlace)),
        wholeChat,
      ),
    }),
    v.check(
      ({ value_name, place }) => isContentName(value_name) && isSettable(value_name, place),
      chatFieldTexts.noContentThere,
    ),
  ),
  output: v.object({ link: v.string() }),
});
