/**
 * What the messages of a bot say, as the Bot API stand-in reads it: texts, their formatting and buttons. Its checks are
 * those of github.com/tdlib/telegram-bot-api and github.com/tdlib/td, and worded as Telegram's.
 */
import { asRecord, type Body, refuse } from './bot-api-world.ts';

const maxTextLength = 4096;
const maxDataBytes = 64;

export type Content = {
  readonly text: string;
  readonly entities: unknown;
  readonly markup: unknown;
  readonly media?: SentMedia;
};

/** A medium that a message shows. */
export type SentMedia = {
  readonly kind: string;
  readonly fileId: string;
  /** Of one that came as a file. */
  readonly file?: { readonly name: string; readonly bytes: Buffer };
  readonly hasSpoiler: boolean;
};

export function readContent(body: Body, to: number): Content {
  const text = toText(body['text']);
  if (text.trim() === '') {
    throw refuse(text === '' ? 'message text is empty' : 'text must be non-empty');
  }
  const { entities } = body;
  if (entities !== undefined) {
    throwUnlessWithin(entities, text);
  }
  if (Array.from(text).length > maxTextLength) {
    throw refuse('message is too long');
  }
  return { text, entities, markup: readMarkup(body, to) };
}

/** The places of entities are counted in UTF-16 code units. */
export function throwUnlessWithin(entities: unknown, text: string): void {
  if (!Array.isArray(entities)) {
    throw refuse("can't parse entities: expected an Array");
  }
  for (const entity of entities.map(asRecord)) {
    const [offset, length] = [Number(entity['offset']), Number(entity['length'])];
    if (!Number.isInteger(offset) || offset < 0) {
      throw refuse(`receive an entity with incorrect offset ${offset}`);
    }
    if (!Number.isInteger(length) || length <= 0) {
      throw refuse(`receive an entity with incorrect length ${length}`);
    }
    if (offset >= text.length) {
      throw refuse(`entity begins after the end of the text at UTF-16 offset ${offset}`);
    }
    const end = offset + length;
    if (end > text.length) {
      throw refuse(
        `entity beginning at UTF-16 offset ${offset} ends after the end of the text at UTF-16 offset ${end}`,
      );
    }
    if (isInSymbol(text, offset)) {
      throw refuse('entity begins in a middle of a UTF-16 symbol');
    }
    if (isInSymbol(text, end)) {
      throw refuse(
        `entity beginning at UTF-16 offset ${offset} ends in a middle of a UTF-16 symbol`,
      );
    }
  }
}

/** Whether the place is between the two halves of a surrogate pair. */
const isInSymbol = (text: string, place: number): boolean =>
  /^[\uDC00-\uDFFF]/.test(text.slice(place)) && /[\uD800-\uDBFF]$/.test(text.slice(0, place));

export function readMarkup({ reply_markup: markup }: Body, to: number): unknown {
  for (const button of readKeyboard(markup).flat()) {
    const { text, callback_data: data } = button;
    if (typeof text !== 'string' || text === '') {
      throw refuse("can't parse inline keyboard button: text must be non-empty");
    }
    const dataBytes = Buffer.byteLength(toText(data));
    if (data !== undefined && (dataBytes === 0 || dataBytes > maxDataBytes)) {
      throw refuse('BUTTON_DATA_INVALID');
    }
    if (button['url'] !== undefined) {
      throwUnlessAddress(toText(button['url']));
    }
    if (button['web_app'] !== undefined && to < 0) {
      throw refuse('BUTTON_TYPE_INVALID');
    }
  }
  return markup;
}

/** Telegram opens these alone; an address without a dot leads nowhere. */
function throwUnlessAddress(url: string): void {
  const { protocol = '', hostname = '' } = URL.canParse(url) ? new URL(url) : {};
  const isOpened =
    ['tg:', 'ton:'].includes(protocol) ||
    (['http:', 'https:'].includes(protocol) && hostname.includes('.'));
  if (!isOpened) {
    throw refuse(`inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`);
  }
}

export function readKeyboard(markup: unknown): readonly (readonly Body[])[] {
  const rows = asRecord(markup)['inline_keyboard'];
  return Array.isArray(rows)
    ? rows.map((row: unknown) => (Array.isArray(row) ? row.map(asRecord) : []))
    : [];
}

export const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
