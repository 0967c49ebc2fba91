/**
 * What people write to the bot by its name in any chat, in the Bot API stand-in: their queries, what the bot answers, what they
 * choose of it, and what is pressed below it. Errors are worded as Telegram's.
 */
import { readKeyboard, readMarkup, throwUnlessWithin, toText } from './bot-api-contents.ts';
import { asRecord, type Body, refuse } from './bot-api-world.ts';

export type StandInInline = {
  /** Types after the bot's name. Returns the ID of the query, which the bot is not told where an answer is still valid. */
  readonly typeQuery: (from: number, query: string, more?: Asking) => string;
  /** What is shown for a query; undefined while it is not answered. */
  readonly answerTo: (queryId: string) => InlineAnswer | undefined;
  /** Sends a result. The bot is told, and knows the message by its ID where it has buttons. */
  readonly choose: (queryId: string, place?: number) => SentInline;
  /** Presses a button of such a message, and returns the ID of the press. */
  readonly press: (message: SentInline, from: number, label: string) => string;
  /** Writes to the bot in a chat that it is not in. Returns the ID of the query. */
  readonly mention: (from: number, text: string) => string;
};

type Asking = { readonly offset?: string; readonly language?: string };

type InlineAnswer = {
  readonly results: readonly Body[];
  readonly cacheS: number;
  readonly isPersonal: boolean;
  readonly nextOffset: string;
  /** The text above the results, and where it leads. */
  readonly button: Body | undefined;
};

type SentInline = {
  readonly from: number;
  readonly result: Body;
  readonly inlineMessageId: string;
};

type Query = {
  readonly from: number;
  readonly text: string;
  readonly offset: string;
  readonly at: number;
  answer?: InlineAnswer;
};

const queryMs = 30_000;
const maxResults = 50;
const maxIdBytes = 64;
const maxTextLength = 4096;
const maxCaptionLength = 1024;
const defaultCacheS = 300;

type Known = {
  readonly toPerson: (id: number) => Body;
  /** Whether Telegram has this file of the bot, as one of this kind. */
  readonly hasFile: (kind: string, fileId: string) => boolean;
  readonly clock: () => number;
  readonly push: (update: Body) => unknown;
};

export function createInlineQueries({ toPerson, hasFile, clock, push }: Known) {
  const queries = new Map<string, Query>();
  const guests = new Map<string, Query>();
  const cached = new Map<string, { readonly answer: InlineAnswer; readonly until: number }>();
  let nextId = 8_100_000_000_000_001;

  function newId(): string {
    nextId += 1;
    return String(nextId);
  }

  const cacheKeys = ({ from, text, offset }: Query) =>
    ['all', String(from)].map((whose) => JSON.stringify([whose, text, offset]));

  function takeQuery(all: ReadonlyMap<string, Query>, id: unknown): Query {
    const query = all.get(toText(id));
    if (query === undefined || query.answer !== undefined || clock() - query.at > queryMs) {
      throw refuse('query is too old and response timeout expired or query ID is invalid');
    }
    return query;
  }

  function answerInlineQuery(body: Body): true {
    const query = takeQuery(queries, body['inline_query_id']);
    const results = readResults(body['results'], hasFile);
    const cacheS = Number(body['cache_time'] ?? defaultCacheS);
    if (!Number.isInteger(cacheS) || cacheS < 0) {
      throw refuse("can't parse cache_time");
    }
    const nextOffset = toText(body['next_offset']);
    if (Buffer.byteLength(nextOffset) > maxIdBytes) {
      throw refuse('NEXT_OFFSET_INVALID');
    }
    const isPersonal = body['is_personal'] === true;
    const button = body['button'] === undefined ? undefined : readButton(body['button']);
    query.answer = { results, cacheS, isPersonal, nextOffset, button };
    const [forAll = '', forOne = ''] = cacheKeys(query);
    cached.set(isPersonal ? forOne : forAll, {
      answer: query.answer,
      until: clock() + cacheS * 1000,
    });
    return true;
  }

  function answerGuestQuery(body: Body) {
    const query = takeQuery(guests, body['guest_query_id']);
    const results = readResults([body['result']], hasFile);
    query.answer = { results, cacheS: 0, isPersonal: true, nextOffset: '', button: undefined };
    return { inline_message_id: newId() };
  }

  const inline: StandInInline = {
    typeQuery(from, text, { offset = '', language } = {}) {
      const id = newId();
      const query: Query = { from, text, offset, at: clock() };
      queries.set(id, query);
      const known = cacheKeys(query)
        .map((key) => cached.get(key))
        .find((one) => one !== undefined && one.until > clock());
      if (known !== undefined) {
        query.answer = known.answer;
        return id;
      }
      const spoken = language === undefined ? {} : { language_code: language };
      push({
        inline_query: {
          id,
          from: { ...toPerson(from), ...spoken },
          query: text,
          offset,
          chat_type: 'supergroup',
        },
      });
      return id;
    },

    answerTo: (id) => (queries.get(id) ?? guests.get(id))?.answer,

    choose(queryId, place = 0) {
      const { from = 0, text = '', answer } = queries.get(queryId) ?? {};
      const result = answer?.results[place];
      if (result === undefined) {
        throw new Error(`There is no result ${place} for “${text}”`);
      }
      const inlineMessageId = `inline-${newId()}`;
      const isKnown = readKeyboard(result['reply_markup']).length > 0;
      push({
        chosen_inline_result: {
          result_id: result['id'],
          from: toPerson(from),
          query: text,
          ...(isKnown ? { inline_message_id: inlineMessageId } : {}),
        },
      });
      return { from, result, inlineMessageId };
    },

    press({ result, inlineMessageId }, from, label) {
      const buttons = readKeyboard(result['reply_markup']).flat();
      const button = buttons.find(({ text }) => text === label);
      if (typeof button?.['callback_data'] !== 'string') {
        throw new Error(`There is no button “${label}”`);
      }
      const id = newId();
      push({
        callback_query: {
          id,
          from: toPerson(from),
          inline_message_id: inlineMessageId,
          chat_instance: 'somewhere',
          data: button['callback_data'],
        },
      });
      return id;
    },

    mention(from, text) {
      const id = newId();
      guests.set(id, { from, text, offset: '', at: clock() });
      push({
        guest_message: {
          message_id: 1,
          date: Math.floor(clock() / 1000),
          chat: { id: -1_008_888_888_888, type: 'supergroup', title: 'Elsewhere' },
          from: toPerson(from),
          guest_query_id: id,
          text,
        },
      });
      return id;
    },
  };

  return { inline, methods: { answerInlineQuery, answerGuestQuery } };
}

function readButton(value: unknown): Body {
  const button = asRecord(value);
  const parameter = toText(button['start_parameter']);
  if (toText(button['text']) === '') {
    throw refuse('inline query results button text must be non-empty');
  }
  if (parameter === '') {
    throw refuse('START_PARAM_EMPTY');
  }
  if (!/^[\w-]{1,64}$/.test(parameter)) {
    throw refuse('START_PARAM_INVALID');
  }
  return button;
}

function readResults(value: unknown, hasFile: Known['hasFile']): readonly Body[] {
  const results = Array.isArray(value) ? value.map(asRecord) : [];
  if (!Array.isArray(value)) {
    throw refuse("can't parse inline query results JSON object");
  }
  if (results.length > maxResults) {
    throw refuse('RESULTS_TOO_MUCH');
  }
  const ids = results.map(({ id }) => toText(id));
  if (ids.some((id) => id === '' || Buffer.byteLength(id) > maxIdBytes)) {
    throw refuse('RESULT_ID_INVALID');
  }
  if (new Set(ids).size < ids.length) {
    throw refuse('RESULT_ID_DUPLICATE');
  }
  results.forEach((result) => throwUnlessSendable(result, hasFile));
  return results;
}

function throwUnlessSendable(result: Body, hasFile: Known['hasFile']): void {
  const type = toText(result['type']);
  // In no chat may a button open a page of the bot.
  readMarkup(result, -1);
  if (type === 'article') {
    throwUnlessArticle(result);
    return;
  }
  const caption = toText(result['caption']);
  if (Array.from(caption).length > maxCaptionLength) {
    throw refuse('MEDIA_CAPTION_TOO_LONG');
  }
  if (result['caption_entities'] !== undefined) {
    throwUnlessWithin(result['caption_entities'], caption);
  }
  const fileId = result[`${type === 'mpeg4_gif' ? 'mpeg4' : type}_file_id`];
  if (fileId === undefined) {
    throwUnlessLoadable(type, result);
  } else if (!hasFile(type === 'mpeg4_gif' ? 'animation' : type, toText(fileId))) {
    throw refuse('wrong file identifier/HTTP URL specified');
  }
}

function throwUnlessArticle(result: Body): void {
  const content = asRecord(result['input_message_content']);
  const text = toText(content['message_text']);
  if (toText(result['title']) === '') {
    throw refuse('ARTICLE_TITLE_EMPTY');
  }
  if (text.trim() === '') {
    throw refuse('message text is empty');
  }
  if (Array.from(text).length > maxTextLength) {
    throw refuse('MESSAGE_TOO_LONG');
  }
  throwUnlessWithin(content['entities'] ?? [], text);
}

/** Telegram loads a JPEG by HTTPS. */
function throwUnlessLoadable(type: string, result: Body): void {
  const addresses = [result['photo_url'], result['thumbnail_url']].map(toText);
  if (type !== 'photo' || addresses.some((url) => !/^https:\/\/[^/]+\./.test(url))) {
    throw refuse('WEBDOCUMENT_URL_INVALID');
  }
}
