/**
 * Follows a stream of server-sent events while the page is visible. It uses the HTTP client, so that
 * the token is sent as a header and not in the address. A broken connection is opened again, a hidden
 * page has none, and the end of the session ends it.
 */
import * as v from 'valibot';

import { type Answer, type CallInput, type Endpoint } from '#contract/endpoints/endpoint';

import { ApiError, request } from './api.ts';
import { getSession, onSessionChange } from './session.ts';

/** A connection without data for so long is dead. The server sends something about every 20 s. */
const maxSilenceMs = 60_000;
/** After a connection that lasted so long, the next wait is short again. */
const steadyMs = 10_000;
const firstWaitMs = 1000;
const maxWaitMs = 30_000;

type Follower<E extends Endpoint> = {
  /** The connection is open. Earlier events were missed. */
  readonly onOpen: () => void;
  readonly onEvent: (event: Answer<E>) => void;
  /** The server refuses with a final error; there is no further attempt. */
  readonly onRefused: (error: ApiError) => void;
};

/** Follows the events of an endpoint until the returned function is called. Skips events of an unknown shape. */
export function followEvents<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  follower: Follower<E>,
): () => void {
  const end = new AbortController();
  const { signal } = end;

  async function connect(connection: AbortController): Promise<void> {
    const { data } = await request(endpoint, input, { signal: connection.signal, isStream: true });
    if (!(data instanceof ReadableStream) || connection.signal.aborted) {
      return;
    }
    follower.onOpen();
    await read(data, connection, (text) => {
      const event = v.safeParse<E['output']>(endpoint.output, text);
      if (event.success && !connection.signal.aborted) {
        follower.onEvent(event.output);
      }
    });
  }

  async function keepConnected(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      await untilVisible(signal);
      const startedAt = performance.now();
      const connection = abortedWith(signal);
      const error = await connect(connection).catch((failure: unknown) => failure);
      connection.abort();
      if (signal.aborted) {
        return;
      }
      if (isFinal(error)) {
        follower.onRefused(error);
        return;
      }
      failures = performance.now() - startedAt > steadyMs ? 0 : failures + 1;
      if (!document.hidden) {
        await pause(waitMs(error, failures), signal);
      }
    }
  }

  const stop = onSessionChange((session) => {
    if (session.status !== 'member') {
      end.abort();
    }
  });
  signal.addEventListener('abort', stop);
  if (getSession().status === 'member') {
    void keepConnected();
  }
  return () => end.abort();
}

/** Reads until the stream ends, the connection is aborted, or no data has come for too long. */
async function read(
  stream: ReadableStream<unknown>,
  connection: AbortController,
  onEvent: (event: unknown) => void,
): Promise<void> {
  const reader = stream.getReader();
  const parse = createEventReader(onEvent);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => connection.abort(), maxSilenceMs);
  };
  // Ends a pending `read`, also where the fetch itself can no longer be aborted.
  connection.signal.addEventListener('abort', () => {
    reader.cancel().catch(() => undefined);
  });
  try {
    for (;;) {
      restartTimer();
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      if (value instanceof Uint8Array) {
        parse(value);
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Aborted by the given signal, and when the page is hidden. */
function abortedWith(signal: AbortSignal): AbortController {
  const connection = new AbortController();
  const abort = () => connection.abort();
  const hide = () => document.hidden && abort();
  signal.addEventListener('abort', abort);
  document.addEventListener('visibilitychange', hide);
  connection.signal.addEventListener('abort', () => {
    signal.removeEventListener('abort', abort);
    document.removeEventListener('visibilitychange', hide);
  });
  if (signal.aborted) {
    abort();
  }
  return connection;
}

/** Whether another attempt cannot help: true for the client's errors, except 408 and 429. */
function isFinal(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    ![408, 429].includes(error.status)
  );
}

/** Exponential with jitter, so that many pages do not reconnect at the same moment. */
function waitMs(error: unknown, failures: number): number {
  const requested = error instanceof ApiError ? (error.retryAfterS ?? 0) * 1000 : 0;
  const longest = Math.min(firstWaitMs * 2 ** failures, maxWaitMs);
  return Math.max(requested, longest * (0.5 + Math.random() / 2));
}

/** Resolves after the time, when the page is hidden or shown, or on abort. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', settle);
      signal.removeEventListener('abort', settle);
      resolve();
    };
    const timer = setTimeout(settle, ms);
    document.addEventListener('visibilitychange', settle);
    signal.addEventListener('abort', settle);
  });
}

function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!document.hidden || signal.aborted) {
        document.removeEventListener('visibilitychange', check);
        signal.removeEventListener('abort', check);
        resolve();
      }
    };
    document.addEventListener('visibilitychange', check);
    signal.addEventListener('abort', check);
    check();
  });
}

/** In characters; more than any of our events. Ends a stream that has no line breaks. */
const maxEventLength = 4_000_000;

/**
 * Parses server-sent events. Returns the function to call with each piece of bytes, cut anywhere;
 * `onEvent` gets the data of each event, parsed as JSON. Comments and data that is not JSON are
 * skipped. Throws when an event is too long.
 */
export function createEventReader(onEvent: (event: unknown) => void): (piece: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  let isAfterReturn = false;

  function endEvent(): void {
    const text = data.join('\n');
    data = [];
    if (text === '') {
      return;
    }
    let event: unknown;
    try {
      event = JSON.parse(text);
    } catch {
      return;
    }
    onEvent(event);
  }

  function takeLine(line: string): void {
    if (line === '') {
      endEvent();
    } else if (line === 'data' || line.startsWith('data:')) {
      data.push(line.slice('data:'.length).replace(/^ /, ''));
    }
  }

  return (piece) => {
    let text = decoder.decode(piece, { stream: true });
    // A line may end with \r\n, and the cut may be between the two.
    if (isAfterReturn && text.startsWith('\n')) {
      text = text.slice(1);
    }
    isAfterReturn = text === '' ? isAfterReturn : text.endsWith('\r');
    const lines = (rest + text).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    lines.forEach(takeLine);
    const held = data.reduce((sum, line) => sum + line.length, rest.length);
    if (held > maxEventLength) {
      throw new Error('The event is too long');
    }
  };
}
