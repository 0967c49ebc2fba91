/**
 * Follows a stream of server-sent events for as long as somebody looks at the page: by the one HTTP
 * client, so that the token is a header and never part of an address, and with patience. A broken
 * connection is made again, a hidden page is not connected, and the end of the session ends it.
 */
import * as v from 'valibot';

import { type Answer, type CallInput, type Endpoint } from '#contract/endpoints/endpoint';

import { ApiError, request } from './api.ts';
import { createEventReader } from './event-reader.ts';
import { getSession, onSessionChange } from './session.ts';

/** A connection that says nothing for so long is dead; the server sends something every 20 s or so. */
const longestSilenceMs = 60_000;
/** A connection that lasted so long was a good one: the next wait is a short one again. */
const steadyMs = 10_000;
const firstWaitMs = 1000;
const longestWaitMs = 30_000;

type Follower<E extends Endpoint> = {
  /** The connection stands. Whatever happened while there was none was missed. */
  readonly onOpen: () => void;
  readonly onEvent: (event: Answer<E>) => void;
  /** The server refuses for good, and is not asked again. */
  readonly onRefused: (error: ApiError) => void;
};

/** Follows the events of an endpoint until the returned function is called. Events of an unknown shape are left out. */
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
      // Each connection follows the one before it.
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

/** Reads to the end, to the abort of the connection, or until nothing has come for too long. */
async function read(
  stream: ReadableStream<unknown>,
  connection: AbortController,
  take: (event: unknown) => void,
): Promise<void> {
  const reader = stream.getReader();
  const parse = createEventReader(take);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stayAwake = () => {
    clearTimeout(timer);
    timer = setTimeout(() => connection.abort(), longestSilenceMs);
  };
  // Whoever waits for the next piece is told by this, also where a fetch cannot be aborted any more.
  connection.signal.addEventListener('abort', () => {
    reader.cancel().catch(() => undefined);
  });
  try {
    for (;;) {
      stayAwake();
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

/** Ends with the given signal, and when the page is hidden. */
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

/** What asking again would not change. A 429 passes by itself, and so does whatever is the server's fault. */
function isFinal(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    ![408, 429].includes(error.status)
  );
}

/** Exponential, with jitter, so that many pages do not come back at the same moment. */
function waitMs(error: unknown, failures: number): number {
  const asked = error instanceof ApiError ? (error.retryAfterS ?? 0) * 1000 : 0;
  const longest = Math.min(firstWaitMs * 2 ** failures, longestWaitMs);
  return Math.max(asked, longest * (0.5 + Math.random() / 2));
}

/** Resolves after the time, when the page is hidden or shown again, or with the abort. */
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
    const look = () => {
      if (!document.hidden || signal.aborted) {
        document.removeEventListener('visibilitychange', look);
        signal.removeEventListener('abort', look);
        resolve();
      }
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });
}
