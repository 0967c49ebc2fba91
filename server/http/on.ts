/** Mounts endpoints of the contract: reads and checks their input, and checks the answer too. */
import { type Hono } from 'hono';
import * as v from 'valibot';

import { accountFieldTexts } from '#contract/endpoints/account-texts';
import { chatFieldTexts } from '#contract/endpoints/chat-texts';
import { type Endpoint, type fileAnswer, type HandlerInput } from '#contract/endpoints/endpoint';
import { errorTexts } from '#contract/endpoints/error-texts';
import { fieldTexts } from '#contract/endpoints/field-texts';
import { pictureFieldTexts } from '#contract/endpoints/picture-texts';
import { pictureLimits } from '#contract/images/limits';
import { mistakeTexts } from '#contract/playground/texts';
import { AppError } from '#server/lib/errors';
import { createEventStream, type EventStream, eventStreamHeaders } from '#server/lib/event-stream';
import { createSentenceFinder } from '#server/lib/known-sentences';
import { type Sentence } from '#server/lib/languages';
import { metrics } from '#server/lib/telemetry';

import { type AppContext, type AppEnv } from './app-env.ts';
import { type FormFiles, readForm, readJsonBody, throwIfTooLong } from './body.ts';
import { requireUser } from './requests.ts';
import { requestTexts } from './texts.ts';

type Handler<E extends Endpoint> = (
  input: HandlerInput<E>,
  c: AppContext,
) => Promise<v.InferInput<E['output']>> | v.InferInput<E['output']>;

/**
 * Mounts an endpoint. The handler sees only parsed input; what it returns is parsed by the
 * endpoint's output schema, so that only what the contract names leaves the server.
 */
export function on<E extends Endpoint>(app: Hono<AppEnv>, endpoint: E, handler: Handler<E>): void {
  app.on(endpoint.method, endpoint.path, async (c) => {
    const input = await gatherInput(endpoint, c);
    return sendAnswer(endpoint, c, await handler(parseInput(endpoint, input), c));
  });
}

/**
 * Mounts an endpoint that needs a session. Without one it answers 401 before it reads the input, so that a
 * visitor is told to log in, and not what is wrong with the rest.
 */
export function onUser<E extends Endpoint>(
  app: Hono<AppEnv>,
  endpoint: E,
  handler: Handler<E>,
): void {
  requireSession(app, endpoint);
  on(app, endpoint, handler);
}

function requireSession(app: Hono<AppEnv>, { method, path }: Endpoint): void {
  app.on(method, path, async (c, next) => {
    requireUser(c);
    await next();
  });
}

function sendAnswer(endpoint: Endpoint, c: AppContext, result: unknown): Response {
  const answer = v.safeParse(endpoint.output, result);
  if (!answer.success) {
    // Not valibot's own error: it holds the whole answer, and errors are logged.
    const places = answer.issues.map((issue) => v.getDotPath(issue) ?? 'the whole').join(', ');
    throw new Error(`${endpoint.method} ${endpoint.path} broke its contract: ${places}`);
  }
  const status = answer.output === undefined ? 204 : (endpoint.status ?? 200);
  return status === 204 ? c.body(null, 204) : c.json(answer.output, status);
}

/** An upload that was let in. `end` is called when the request is over, whatever came of it. */
type Admission = FormFiles & { readonly end: () => Promise<void> };

/**
 * Mounts an endpoint that needs a session and receives a form with files. A file may be as large as a picture where
 * the endpoint says nothing else, so `admit` can refuse before anything of it is read.
 */
export function onForm<E extends Endpoint>(
  app: Hono<AppEnv>,
  endpoint: E,
  {
    admit,
    handler,
    sayTooLarge,
  }: {
    readonly admit: (c: AppContext) => Promise<Admission>;
    readonly handler: Handler<E>;
    /** What is said of a file that is too large, if it is no picture. */
    readonly sayTooLarge?: Sentence;
  },
): void {
  requireSession(app, endpoint);
  const maxBytes = endpoint.maxBytes ?? pictureLimits.bytes;

  async function receive(c: AppContext): Promise<Response> {
    // First: no later try will do, as after the refusals of `admit`.
    throwIfTooLong(c, maxBytes);
    const admission = await admit(c);
    try {
      const form = await readForm(c, maxBytes, admission);
      const input = await gatherInput(endpoint, c, form);
      return sendAnswer(endpoint, c, await handler(parseInput(endpoint, input), c));
    } finally {
      await admission.end();
    }
  }

  app.on(endpoint.method, endpoint.path, async (c) => {
    try {
      return await receive(c);
    } catch (error) {
      const isTooLarge = error instanceof AppError && error.code === 'picture_too_large';
      throw isTooLarge && sayTooLarge !== undefined
        ? new AppError('picture_too_large', { detail: sayTooLarge })
        : error;
    }
  });
}

type File = {
  readonly bytes: Buffer;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Mounts an endpoint that answers with a file instead of JSON. */
export function onFile<E extends Endpoint<Endpoint['input'], typeof fileAnswer>>(
  app: Hono<AppEnv>,
  endpoint: E,
  handler: (input: HandlerInput<E>, c: AppContext) => Promise<File>,
): void {
  app.on(endpoint.method, endpoint.path, async (c) => {
    const input = await gatherInput(endpoint, c);
    const { bytes, type, headers } = await handler(parseInput(endpoint, input), c);
    // A copy, as the type of a body excludes shared memory.
    return c.body(new Uint8Array(bytes), 200, { 'Content-Type': type, ...headers });
  });
}

/**
 * Mounts an endpoint that needs a session and answers with a stream of server-sent events. What `open` throws is an ordinary
 * refusal; after it the stream stays open until one side ends it.
 */
export function onStream<E extends Endpoint>(
  app: Hono<AppEnv>,
  endpoint: E,
  open: (
    input: HandlerInput<E>,
    c: AppContext,
    stream: EventStream<v.InferInput<E['output']>>,
  ) => Promise<void>,
): void {
  requireSession(app, endpoint);
  app.on(endpoint.method, endpoint.path, async (c) => {
    const input = await gatherInput(endpoint, c);
    const { stream, body } = createEventStream<v.InferInput<E['output']>>((event) => {
      const parsed = v.safeParse(endpoint.output, event);
      return parsed.success ? JSON.stringify(parsed.output) : undefined;
    });
    await open(parseInput(endpoint, input), c, stream);
    countStream(stream.ended);
    const { signal } = c.req.raw;
    signal.addEventListener('abort', stream.end);
    // An answer to HEAD has no body.
    if (signal.aborted || c.req.method === 'HEAD') {
      stream.end();
    }
    for (const [name, value] of Object.entries(eventStreamHeaders)) {
      c.header(name, value);
    }
    return c.body(body, 200);
  });
}

function countStream(ended: AbortSignal): void {
  if (!ended.aborted) {
    metrics.change('openStreams', 1);
    ended.addEventListener('abort', () => metrics.change('openStreams', -1), { once: true });
  }
}

/** Schemas hold their messages in English. */
const findField = createSentenceFinder([
  fieldTexts,
  accountFieldTexts,
  chatFieldTexts,
  pictureFieldTexts,
  mistakeTexts,
]);

/** Parses the input. Refuses with the messages of our schemas, which never repeat the input. */
function parseInput<E extends Endpoint>(endpoint: E, input: Map<string, unknown>): HandlerInput<E> {
  // A missing field is parsed as undefined, so that its own message is used.
  const names = 'entries' in endpoint.input ? Object.keys(Object(endpoint.input.entries)) : [];
  const filled = new Map<string, unknown>([
    ...names.map((name) => [name, undefined] as const),
    ...input,
  ]);
  const generic = errorTexts.invalid_input;
  if (containsNul([...input].flat())) {
    throw new AppError('invalid_input', { detail: (say) => say(requestTexts).nulCharacter });
  }

  const parsed = v.safeParse(endpoint.input, Object.fromEntries(filled), {
    abortPipeEarly: true,
    message: generic,
  });
  if (parsed.success) {
    return parsed.output;
  }

  const messages = [...new Set(parsed.issues.map(({ message }) => message))];
  const own = messages.filter((message) => message !== generic);
  throw new AppError(
    'invalid_input',
    own.length === 0
      ? {}
      : { detail: (say) => own.map((message) => findField(message)?.(say) ?? message).join('. ') },
  );
}

/** PostgreSQL cannot store U+0000 in a text. No recursion, as JSON may be nested deeply. */
function containsNul(values: readonly unknown[]): boolean {
  const left = [...values];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && value.includes('\0')) {
      return true;
    }
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        left.push(name, inner);
      }
    }
  }
  return false;
}

/** Collects the inputs from path, query and body. A name that is given twice must have the same value. */
async function gatherInput(
  endpoint: Endpoint,
  c: AppContext,
  form: Readonly<Record<string, unknown>> = {},
): Promise<Map<string, unknown>> {
  const input = new Map<string, unknown>();
  const add = (name: string, value: unknown) => {
    if (input.has(name) && asText(input.get(name)) !== asText(value)) {
      throw new AppError('invalid_input', {
        detail: (say) => say(requestTexts).contradiction,
      });
    }
    input.set(name, value);
  };

  for (const [name, value] of Object.entries(c.req.param())) {
    add(name, value);
  }
  for (const [name, values] of Object.entries(c.req.queries())) {
    if (values.length > 1) {
      throw new AppError('invalid_input', { detail: (say) => say(requestTexts).parameterTwice });
    }
    if (isQueryName(endpoint, name)) {
      add(name, values[0]);
    }
  }
  const body = hasJsonBody(endpoint) ? await readJsonBody(c, endpoint.maxBytes) : form;
  for (const [name, value] of Object.entries(body)) {
    add(name, value);
  }
  return input;
}

/** Only strings and numbers are compared: turning an object into text may run its own code, or never end. */
function asText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function hasJsonBody({ method, body, isForm }: Endpoint): boolean {
  return isForm !== true && (method === 'POST' || method === 'PUT' || body !== undefined);
}

/** Whether an endpoint reads this name from the query. A field that belongs in the body, such as a password, is not. */
function isQueryName({ method, query, body }: Endpoint, name: string): boolean {
  const takesRest = method === 'GET' || method === 'DELETE';
  return query?.includes(name) === true || (takesRest && body?.includes(name) !== true);
}

const yearS = 365 * 24 * 60 * 60;

/** Answers with a WebP picture of ours that pages of every origin may show, and that never changes. */
export function answerPublicPicture(c: AppContext, bytes: Buffer): Response {
  c.header('Cache-Control', `public, max-age=${yearS}, immutable`);
  c.header('Cross-Origin-Resource-Policy', 'cross-origin');
  c.header('Content-Security-Policy', "default-src 'none'; sandbox");
  return c.body(new Uint8Array(bytes), 200, { 'Content-Type': 'image/webp' });
}
