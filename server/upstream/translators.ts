/** Servers that translate: LibreTranslate, and MyMemory. */
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';
import { readRetryAfter, toBusy } from '#server/upstream/connections/oauth';
import { readJson } from '#server/upstream/fetch-json';

import { parse, request, type Server, toPlainText, words } from './reference.ts';

export type Translation =
  /** `from` is the code of its language; undefined when the service does not say. */
  | { readonly kind: 'done'; readonly text: string; readonly from: string | undefined }
  /** It is in that language already. */
  | { readonly kind: 'same' }
  /** The service does not have the language. */
  | { readonly kind: 'unsupported' }
  /** `max` is the service's own limit. */
  | { readonly kind: 'too long'; readonly max: number; readonly unit: 'bytes' | 'characters' };

export type Translator = {
  readonly label: string;
  /** In bytes of UTF-8, or in characters. */
  readonly limit: { readonly max: number; readonly unit: 'bytes' | 'characters' };
  /**
   * Throws `service_slow`, `service_unavailable`, `service_busy`, `service_key_refused` or
   * `service_answer_broken`.
   */
  readonly translate: (text: string, to: string) => Promise<Translation>;
};

const libreAnswer = v.object({
  translatedText: v.string(),
  detectedLanguage: v.nullish(v.object({ language: v.string() })),
});
const libreError = v.object({ error: v.string() });

export function connectLibreTranslate({
  root,
  apiKey,
  timeoutMs,
}: Server & { readonly apiKey?: string | undefined }): Translator {
  const label = 'LibreTranslate';

  async function translate(text: string, to: string): Promise<Translation> {
    const reply = await request(label, {
      url: `${root}/translate`,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({
        q: text,
        source: 'auto',
        target: to,
        format: 'text',
        ...(apiKey === undefined ? {} : { api_key: apiKey }),
      }),
      timeoutMs,
    });
    const body = readJson(reply);
    if (reply.status === 429) {
      throw toBusy(label, readRetryAfter(reply.headers));
    }
    if (reply.status === 403) {
      throw new AppError('service_key_refused');
    }
    if (reply.status === 400 && v.is(libreError, body)) {
      return readLibreRefusal(body.error);
    }
    const { translatedText, detectedLanguage } = parse(
      libreAnswer,
      reply.status === 200 ? body : undefined,
    );
    const from = detectedLanguage?.language;
    return from !== undefined && toBase(from) === toBase(to)
      ? { kind: 'same' }
      : { kind: 'done', text: translatedText, from };
  }

  return {
    label,
    limit: { max: 2000, unit: 'characters' },
    translate: async (text, to) => {
      const translation = await translate(text, to);
      // Older servers know no regions.
      return translation.kind === 'unsupported' && toBase(to) !== to
        ? translate(text, toBase(to))
        : translation;
    },
  };
}

const toBase = (language: string) => language.toLowerCase().split('-')[0] ?? '';

function readLibreRefusal(error: string): Translation {
  const [, max] = /exceeds (?:text|character) limit \((\d+)\)/i.exec(error) ?? [];
  if (max !== undefined) {
    return { kind: 'too long', max: Number(max), unit: 'characters' };
  }
  if (/is not supported|not available as a target/i.test(error)) {
    return { kind: 'unsupported' };
  }
  throw new AppError('service_answer_broken');
}

const myMemoryAnswer = v.object({
  responseData: v.object({ translatedText: words, detectedLanguage: words }),
  responseStatus: v.union([v.number(), v.string()]),
  responseDetails: words,
  quotaFinished: v.nullish(v.boolean()),
});

/** Without a key, which gives about a hundred translations a day. */
export function connectMyMemory({ root, timeoutMs }: Server): Translator {
  const label = 'MyMemory';
  const limit = { max: 500, unit: 'bytes' } as const;
  return {
    label,
    limit,
    translate: async (text, to) => {
      const query = new URLSearchParams({ q: text, langpair: `Autodetect|${to}` });
      const reply = await request(label, { url: `${root}/get?${query}`, timeoutMs });
      const body = readJson(reply);
      if (reply.status === 429 && !v.is(myMemoryAnswer, body)) {
        throw toBusy(label, readRetryAfter(reply.headers));
      }
      const { responseData, responseStatus, responseDetails, quotaFinished } = parse(
        myMemoryAnswer,
        body,
      );
      const { translatedText = '', detectedLanguage } = responseData;
      // The status of HTTP is mostly 200, and warnings stand where the translation should.
      const said = `${translatedText} ${responseDetails ?? ''}`;
      if (
        /MYMEMORY WARNING/.test(said) ||
        quotaFinished === true ||
        Number(responseStatus) === 429
      ) {
        throw toBusy(label, readQuotaWait(said) ?? readRetryAfter(reply.headers));
      }
      if (Number(responseStatus) !== 200 || translatedText === '') {
        return readMyMemoryRefusal(said, limit.max);
      }
      return { kind: 'done', text: toPlainText(translatedText), from: detectedLanguage };
    },
  };
}

/** Seconds, of "NEXT AVAILABLE IN  12 HOURS 58 MINUTES 57 SECONDS". */
function readQuotaWait(said: string): number | undefined {
  const match = /(\d+) HOURS\s+(\d+) MINUTES(?:\s+(\d+) SECONDS)?/.exec(said);
  return match === null
    ? undefined
    : Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3] ?? 0);
}

function readMyMemoryRefusal(said: string, max: number): Translation {
  if (/TWO DISTINCT LANGUAGES/i.test(said)) {
    return { kind: 'same' };
  }
  if (/INVALID TARGET LANGUAGE/i.test(said)) {
    return { kind: 'unsupported' };
  }
  if (/QUERY LENGTH LIMIT/i.test(said)) {
    return { kind: 'too long', max, unit: 'bytes' };
  }
  throw new AppError('service_answer_broken');
}
