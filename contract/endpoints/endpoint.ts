/** Declares endpoints: method, path, where each input is sent, and the schemas of input and output. */
import * as v from 'valibot';

import { fieldTexts } from './field-texts.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type AnySchema = v.GenericSchema<unknown, unknown>;
type InputSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>;

/**
 * One endpoint. Names in `path` (`:chat_id`) are always sent there. Of the other inputs,
 * those listed in `query` go into the query string and the rest into the JSON body (in GET and DELETE
 * the rest is query). A name listed in `body` is sent in the body, also when it is in the path.
 */
export type Endpoint<
  Input extends InputSchema = InputSchema,
  Output extends AnySchema = AnySchema,
> = {
  /** The host: the backend when absent, the public API, or the search of models. */
  readonly base?: 'public' | 'search';
  readonly method: Method;
  readonly path: `/${string}`;
  readonly query?: readonly string[];
  readonly body?: readonly string[];
  readonly input: Input;
  readonly output: Output;
  /** The body is sent as multipart/form-data: text fields and files. Needs an account. */
  readonly isForm?: boolean;
  /** The largest JSON body in bytes, 64 KiB when absent; of a form, its largest file. */
  readonly maxBytes?: number;
  /** The status of a successful answer; 200 when absent. */
  readonly status?: 200 | 201 | 202 | 204;
};

/** What a caller passes. */
export type CallInput<E extends Endpoint> = v.InferInput<E['input']>;
/** What a handler receives, and what a caller gets back: both are parsed. */
export type HandlerInput<E extends Endpoint> = v.InferOutput<E['input']>;
export type Answer<E extends Endpoint> = v.InferOutput<E['output']>;

/** Declares an endpoint; the identity function that gives it its exact type. */
export function endpoint<Input extends InputSchema, Output extends AnySchema>(
  declaration: Endpoint<Input, Output>,
): Endpoint<Input, Output> {
  return declaration;
}

/** Sorts the inputs of a call into path, query and body. Undefined values are not sent. */
export function splitInput(
  wire: Wire,
  input: Readonly<Record<string, unknown>>,
): { path: string; query: Record<string, string>; body: Record<string, unknown> } {
  const query = new Map<string, string>();
  const body = new Map<string, unknown>();
  let path: string = wire.path;

  for (const [name, value] of Object.entries(input).filter(([, given]) => given !== undefined)) {
    const { inPath, inQuery, inBody } = getPlaces(wire, name);
    if (inPath) {
      path = path.replace(`:${name}`, encodeURIComponent(asText(value)));
    }
    if (inQuery) {
      query.set(name, asText(value));
    }
    if (inBody) {
      body.set(name, value);
    }
  }
  return { path, query: Object.fromEntries(query), body: Object.fromEntries(body) };
}

type Wire = Pick<Endpoint, 'method' | 'path' | 'query' | 'body'>;

function getPlaces({ method, path, query, body }: Wire, name: string) {
  const inPath = path.split('/').includes(`:${name}`);
  const isListed = body?.includes(name) === true;
  const hasBody = method === 'POST' || method === 'PUT';
  const inQuery = query?.includes(name) === true || !(inPath || isListed || hasBody);
  return { inPath, inQuery, inBody: isListed || (hasBody && !inPath && !inQuery) };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A call without inputs. */
export const noInput = v.object({});

/** An answer whose body does not matter. */
export const noAnswer = v.pipe(
  v.unknown(),
  v.transform(() => undefined),
);

/** A file and the headers that came with it, names in lower case. */
export type AnsweredFile = {
  readonly blob: Blob;
  readonly headers: Readonly<Record<string, string>>;
};

/** An answer that is a file instead of JSON. */
export const fileAnswer = v.custom<AnsweredFile>(
  (value) => typeof value === 'object' && value !== null && 'blob' in value,
);

/** An answer that is one sentence, and the same in the caller's language; some backends send none. */
export const message = v.pipe(
  v.unknown(),
  v.transform((body) => (v.is(v.object({ message: v.string() }), body) ? body : { message: '' })),
  v.object({ message: v.string(), translated: v.optional(v.string()) }),
);

/** An ID that is sent as string or number and parsed to a string, as IDs exceed 32 bits. */
function idText(pattern: RegExp, hints: { empty: string; malformed: string }) {
  return v.pipe(
    v.union([v.string(), v.number()], hints.empty),
    v.transform((id) => String(id).trim()),
    v.string(),
    v.nonEmpty(hints.empty),
    v.regex(pattern, hints.malformed),
  );
}

/** A Telegram user ID; `empty` is the message when there is none. */
export function telegramIdOr(empty: string) {
  return idText(/^[1-9]\d{0,15}$/, {
    empty,
    malformed: fieldTexts.telegramIdMalformed,
  });
}
export const telegramId = telegramIdOr(fieldTexts.telegramIdMissing);

/** A Telegram chat ID, negative for groups; `empty` is the message when there is none. */
export function chatIdOr(empty: string) {
  return idText(/^-?[1-9]\d{0,15}$/, {
    empty,
    malformed: fieldTexts.chatIdMalformed,
  });
}
export const chatId = chatIdOr(fieldTexts.chatIdMissing);

/** A forum topic of a chat; "0" is General. */
export const topicId = idText(/^(?:0|[1-9]\d{0,9})$/, {
  empty: fieldTexts.topicIdMissing,
  malformed: fieldTexts.topicIdMalformed,
});

/** Raw launch data of Telegram, which the server checks. */
export const initData = v.pipe(v.string(), v.nonEmpty(), v.maxLength(8192));

/**
 * Names what a code was asked for: a registration, a new password, a login. Our server returns it to the browser that
 * began it, and accepts the code only together with it. Other backends do not know it.
 */
export const attempt = v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(64)));

/** A one-time password: exactly six digits, as text because zeros may lead. */
export const otpCode = v.pipe(v.string(), v.regex(/^\d{6}$/, fieldTexts.incompleteCode));
