/** Streams of server-sent events. */

export type EventStream<Event> = {
  readonly send: (event: Event) => void;
  /** Sends an empty comment, so that proxies do not close an idle connection. */
  readonly beat: () => void;
  readonly end: () => void;
  /** Aborted when either side has ended the stream. */
  readonly ended: AbortSignal;
};

/**
 * Bytes that may wait for a slow reader. With more the stream ends, and the page reads everything anew. An
 * event about every setting of 500 topics has 0.4 MB.
 */
const maxWaitingBytes = 2 * 1024 * 1024;

const encoder = new TextEncoder();

/** When `toJson` returns undefined, the event must not be sent and the stream ends. */
export function createEventStream<Event>(toJson: (event: Event) => string | undefined): {
  readonly stream: EventStream<Event>;
  readonly body: ReadableStream<Uint8Array>;
} {
  const ending = new AbortController();
  const { signal: ended } = ending;
  /** Not queued in the stream itself, so that it can be dropped. */
  const waiting: Uint8Array[] = [];
  let bytesWaiting = 0;
  let reader: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isPulling = false;

  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        reader = controller;
      },
      pull: () => {
        isPulling = true;
        flush();
      },
      cancel: () => ending.abort(),
    },
    { highWaterMark: 0 },
  );

  function flush(): void {
    const next = isPulling ? waiting.shift() : undefined;
    if (next) {
      isPulling = false;
      bytesWaiting -= next.byteLength;
      reader?.enqueue(next);
    }
    if (ended.aborted && waiting.length === 0) {
      reader?.close();
    }
  }

  function end(): void {
    if (!ended.aborted) {
      ending.abort();
      flush();
    }
  }

  function write(text: string): void {
    if (ended.aborted) {
      return;
    }
    const bytes = encoder.encode(text);
    waiting.push(bytes);
    bytesWaiting += bytes.byteLength;
    if (bytesWaiting > maxWaitingBytes) {
      waiting.length = 0;
      end();
    } else {
      flush();
    }
  }

  const beat = () => write(':\n\n');
  // Proxies send the headers on with the first bytes.
  beat();
  return {
    stream: {
      send: (event) => {
        const json = toJson(event);
        if (json === undefined) {
          end();
        } else {
          write(`data: ${json}\n\n`);
        }
      },
      beat,
      end,
      ended,
    },
    body,
  };
}

/** Forbids proxies to cache, buffer or compress the stream. */
export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const;
