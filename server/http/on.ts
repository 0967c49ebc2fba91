/** Answers an endpoint of the contract: gathers its input, checks it, and checks the answer too. */
import { type Hono } from 'hono';
import * as v from 'valibot';

import { type Endpoint, type fileAnswer, type HandlerInput } from '#contract/endpoints/endpoint';
import { errorCodes } from '#contract/endpoints/errors';
import { pictureLimits } from '#contract/images/limits';
import { AppError } from '#server/lib/errors';
import { createEventStream, type EventStream, eventStreamHeaders } from '#server/lib/event-stream';

import { type AppContext, type AppEnv } from './app-env.ts';
import { readJsonBody } from './body.ts';
import { readForm } from './form.ts';
import { requireUser } from './requests.ts';

type Handler<E extends Endpoint> = (
  input: HandlerInput<E>,
  c: AppContext,
) => Promise<v.InferInput<E['output']>> | v.InferInput<E['output']>;

/**
 * Mounts an endpoint. The handler sees only parsed input; what it returns is parsed by the
 * endpoint's output, so that nothing leaves the server which the contract does not name.
 */
export function on<E extends Endpoint>(app: Hono<AppEnv>, endpoint: E, handler: Handler<E>): void {
  app.on(endpoint.method, endpoint.path, async (c) => {
    const input = await gatherInput(endpoint, c);
    const answer = v.safeParse(endpoint.output, await handler(parseInput(endpoint, input), c));
    if (!answer.success) {
      // Without valibot's own error: it carries the whole answer, and errors are logged.
      const places = answer.issues.map((issue) => v.getDotPath(issue) ?? 'the whole').join(', ');
      throw new Error(
        `${endpoint.method} ${endpoint.path} answers against its contract: ${places}`,
      );
    }
    // Nothing to tell is an answer, too.
    const status = answer.output === undefined ? 204 : (endpoint.status ?? 200);
    return status === 204 ? c.body(null, 204) : c.json(answer.output, status);
  });
}

type File = {
  readonly bytes: Buffer;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Mounts an endpoint that answers a file instead of JSON. */
export function onFile<E extends Endpoint<Endpoint['input'], typeof fileAnswer>>(
  app: Hono<AppEnv>,
  endpoint: E,
  handler: (input: HandlerInput<E>, c: AppContext) => Promise<File>,
): void {
  app.on(endpoint.method, endpoint.path, async (c) => {
    const input = await gatherInput(endpoint, c);
    const { bytes, type, headers } = await handler(parseInput(endpoint, input), c);
    // Copied into memory that nothing else shares, as the platform's types want it.
    return c.body(new Uint8Array(bytes), 200, { 'Content-Type': type, ...headers });
  });
}

/**
 * Mounts an endpoint that answers with a stream of server-sent events. What `open` throws is an ordinary
 * refusal; from then on the stream is there until one of both sides ends it.
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
  app.on(endpoint.method, endpoint.path, async (c) => {
    const input = await gatherInput(endpoint, c);
    const { stream, body } = createEventStream<v.InferInput<E['output']>>((event) => {
      const parsed = v.safeParse(endpoint.output, event);
      return parsed.success ? JSON.stringify(parsed.output) : undefined;
    });
    await open(parseInput(endpoint, input), c, stream);
    const { signal } = c.req.raw;
    signal.addEventListener('abort', stream.end);
    // Nobody reads the body of an answer to HEAD.
    if (signal.aborted || c.req.method === 'HEAD') {
      stream.end();
    }
    for (const [name, value] of Object.entries(eventStreamHeaders)) {
      c.header(name, value);
    }
    return c.body(body, 200);
  });
}

/** Parses the input, or refuses with one sentence made of our own messages, never of what came in. */
function parseInput<E extends Endpoint>(endpoint: E, input: Map<string, unknown>): HandlerInput<E> {
  // A field that is not there is parsed as undefined, so that its own message speaks for it.
  const named = 'entries' in endpoint.input ? Object.keys(Object(endpoint.input.entries)) : [];
  const filled = new Map<string, unknown>([
    ...named.map((name) => [name, undefined] as const),
    ...input,
  ]);
  const generic = errorCodes.invalid_input.detail;
  if (holdsNul([...input].flat())) {
    throw new AppError('invalid_input', { detail: 'A text cannot hold the character U+0000.' });
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
  throw new AppError('invalid_input', own.length > 0 ? { detail: own.join('. ') } : {});
}

/** PostgreSQL keeps no text with it, and nobody types it. Without recursion: JSON may be nested deeply. */
function holdsNul(values: readonly unknown[]): boolean {
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

/** Collects the inputs from path, query and body. A name found twice must say the same twice. */
async function gatherInput(endpoint: Endpoint, c: AppContext): Promise<Map<string, unknown>> {
  const input = new Map<string, unknown>();
  const add = (name: string, value: unknown) => {
    if (input.has(name) && asText(input.get(name)) !== asText(value)) {
      throw new AppError('invalid_input', {
        detail: 'The address and the body of the request contradict each other.',
      });
    }
    input.set(name, value);
  };

  for (const [name, value] of Object.entries(c.req.param())) {
    add(name, value);
  }
  for (const [name, values] of Object.entries(c.req.queries())) {
    if (values.length > 1) {
      throw new AppError('invalid_input', { detail: 'A query parameter is given twice.' });
    }
    if (isQueryName(endpoint, name)) {
      add(name, values[0]);
    }
  }
  if (endpoint.isForm) {
    // A form may be as large as a picture: of nobody we know, no byte of one is kept.
    requireUser(c);
    for (const [name, value] of Object.entries(await readForm(c, pictureLimits.bytes))) {
      add(name, value);
    }
  } else if (hasBody(endpoint)) {
    for (const [name, value] of Object.entries(await readJsonBody(c, endpoint.maxBytes))) {
      add(name, value);
    }
  }
  return input;
}

/** Only what an id may be can agree: an object decides by itself, or never ends, when made a text. */
function asText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function hasBody({ method, body }: Endpoint): boolean {
  return method === 'POST' || method === 'PUT' || body !== undefined;
}

/** Whether an endpoint takes this name from the query; a password in an address is not read. */
function isQueryName({ method, query, body }: Endpoint, name: string): boolean {
  const takesRest = method === 'GET' || method === 'DELETE';
  return query?.includes(name) === true || (takesRest && body?.includes(name) !== true);
}
