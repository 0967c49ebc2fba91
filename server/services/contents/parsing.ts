/** Reads the messages that become contents: text with its formatting, one medium, and buttons in the last lines. */
import { type Message, type MessageEntity } from 'grammy/types';
import * as v from 'valibot';

import {
  type ContentBody,
  contentBody,
  type ContentButton,
  contentButton,
  type ContentEntity,
  type ContentKind,
  contentLengths,
  contentLimits,
  entityTypes,
  mediaWithoutCaption,
} from '#contract/chats/contents';
import { readMedium } from '#server/upstream/telegram/media';
import { refuse } from '#services/members';

import { contentTexts } from './texts.ts';

type Source = {
  readonly message: Message;
  /** Where the content begins in its text, in UTF-16 code units: after a command, for example. */
  readonly offset?: number;
};

/**
 * Undefined for a message without a text or a medium that the bot can send. Throws a refusal for a text that is too
 * long, and for too many buttons. `botId` is the bot that got the message: no other can send its medium.
 */
export function readContent(
  { message, offset = 0 }: Source,
  { kind, botId }: { readonly kind: ContentKind; readonly botId: number },
): ContentBody | undefined {
  const medium = readMedium(message);
  const source = message.text ?? message.caption ?? '';
  const { text: written, buttons } = splitButtons(source.slice(offset));
  const start = offset + written.length - written.trimStart().length;
  const text = written.trim();
  if (text === '' && medium === undefined) {
    return undefined;
  }
  throwIfTooMuch(text, buttons, {
    kind,
    max: medium === undefined ? contentLimits.text : contentLimits.caption,
  });
  const entities = message.entities ?? message.caption_entities ?? [];
  const body: ContentBody = {
    text,
    entities: entities
      .flatMap((entity) => toContentEntity(entity, { start, end: start + text.length }))
      .slice(0, contentLimits.entities),
    ...(medium && { media: { kind: medium.kind, file_id: medium.fileId, bot_id: botId } }),
    buttons,
  };
  if (!v.is(contentBody, body)) {
    throw refuse((_texts, say) => say(contentTexts).unusable);
  }
  return body;
}

function throwIfTooMuch(
  text: string,
  buttons: ContentBody['buttons'],
  { kind, max }: { readonly kind: ContentKind; readonly max: number },
): void {
  const maxLength = Math.min(max, contentLengths[kind]);
  if (text.length > maxLength) {
    throw refuse((texts) => texts.atMostCharacters(maxLength));
  }
  if (buttons.flat().length > contentLimits.buttons) {
    throw refuse((_texts, say) => say(contentTexts).atMostButtons(contentLimits.buttons));
  }
}

/** Where the message has a text or a medium of its own after the command, that; else the message that it replies to. */
export function readContentOrReply(
  { message, offset = 0 }: Source,
  how: { readonly kind: ContentKind; readonly botId: number },
): ContentBody | undefined {
  const own = readContent({ message, offset }, how);
  const reply = message.reply_to_message;
  const isImplied = reply?.forum_topic_created !== undefined;
  return (
    own ?? (reply === undefined || isImplied ? undefined : readContent({ message: reply }, how))
  );
}

/** Whether the bot sends the text of a content as a message of its own, as Telegram puts none below its medium. */
export const isTextApart = ({ media }: Pick<ContentBody, 'media'>): boolean =>
  media !== undefined && mediaWithoutCaption.has(media.kind);

const isKnownType = (type: string): type is (typeof entityTypes)[number] =>
  entityTypes.some((known) => known === type);

/** The part of a mark that is in the content. Telegram finds links and the like by itself. */
function toContentEntity(
  entity: MessageEntity,
  { start, end }: { readonly start: number; readonly end: number },
): readonly ContentEntity[] {
  const from = Math.max(entity.offset, start);
  const length = Math.min(entity.offset + entity.length, end) - from;
  const { type } = entity;
  if (length <= 0 || !isKnownType(type)) {
    return [];
  }
  const url = entity.type === 'text_link' ? entity.url : undefined;
  if (url !== undefined && url.length > contentLimits.url) {
    return [];
  }
  return [
    {
      type,
      offset: from - start,
      length,
      ...(url === undefined ? {} : { url }),
      ...(entity.type === 'pre' && entity.language !== undefined
        ? { language: entity.language.slice(0, maxLanguageLength) }
        : {}),
      ...(entity.type === 'custom_emoji' ? { custom_emoji_id: entity.custom_emoji_id } : {}),
    },
  ];
}

const maxLanguageLength = 32;

type ButtonLine = { readonly button: ContentButton; readonly isSameRow: boolean };

/** `[Label](https://example.com)`, `[Rules](rules)` or `[Wifi](note:wifi)`; `:same` before the bracket keeps the row. */
const buttonPattern = /\[([^[\]\n]+)\]\(([^\s()]*(?:\([^\s()]*\)[^\s()]*)*)\)/gu;

/** The buttons in the last lines of a text, and the text before them. A line with anything else is text. */
function splitButtons(source: string): {
  readonly text: string;
  readonly buttons: ContentBody['buttons'];
} {
  const lines = source.trimEnd().split('\n');
  const found: (readonly ButtonLine[])[] = [];
  let end = lines.length;
  while (end > 0) {
    const line = lines[end - 1]?.trim() ?? '';
    const buttons = line === '' ? [] : readButtonLine(line);
    if (buttons === undefined) {
      break;
    }
    found.unshift(buttons);
    end -= 1;
  }
  return { text: lines.slice(0, end).join('\n'), buttons: toRows(found.flat()) };
}

/** Undefined when the line is more than buttons. */
function readButtonLine(line: string): readonly ButtonLine[] | undefined {
  const matches = [...line.matchAll(buttonPattern)];
  const rest = line.replaceAll(buttonPattern, '').trim();
  const buttons = matches.map(([, label = '', target = '']) => toButton(label.trim(), target));
  const isWhole = rest === '' && buttons.length > 0;
  return isWhole && buttons.every((one) => one !== undefined) ? buttons : undefined;
}

function toButton(label: string, target: string): ButtonLine | undefined {
  const isSameRow = target.endsWith(':same');
  const address = isSameRow ? target.slice(0, -':same'.length) : target;
  const place = address.toLowerCase().normalize('NFKC');
  const isPlace = place === 'rules' || place.startsWith('note:');
  const button = { label, ...(isPlace ? { to: place } : { url: withScheme(address) }) };
  const parsed = v.safeParse(contentButton, button);
  return parsed.success ? { button: parsed.output, isSameRow } : undefined;
}

/** People leave it out, Telegram does not add it. */
const withScheme = (address: string) =>
  /^[a-z\d-]+(?:\.[a-z\d-]+)+(?:[/?#:]|$)/i.test(address) ? `https://${address}` : address;

function toRows(buttons: readonly ButtonLine[]): ContentBody['buttons'] {
  const rows: ContentButton[][] = [];
  for (const { button, isSameRow } of buttons) {
    const last = rows.at(-1);
    if (isSameRow && last !== undefined && last.length < contentLimits.buttonsInRow) {
      last.push(button);
    } else {
      rows.push([button]);
    }
  }
  return rows;
}
