/** One stream of server-sent events, and how it is put on the wire. */

export type EventStream<Event> = {
  readonly send: (event: Event) => void;
  /** Says nothing, so that nobody in between takes the connection for a dead one. */
  readonly beat: () => void;
  readonly end: () => void;
  /** Aborted when either side has ended it. */
  readonly ended: AbortSignal;
};

/**
 * Bytes that may wait for a slow reader; who has more to read is let go, and reads everything anew. An
 * event about every setting of 500 topics has 0.4 MB.
 */
const mostWaiting = 2 * 1024 * 1024;

const encoder = new TextEncoder();

/** `toJson` answers undefined for what must not be sent; the stream then ends. */
export function createEventStream<Event>(toJson: (event: Event) => string | undefined): {
  readonly stream: EventStream<Event>;
  readonly body: ReadableStream<Uint8Array>;
} {
  const ending = new AbortController();
  const { signal: ended } = ending;
  /** Kept here and not in the stream, so that it can be dropped. */
  const waiting: Uint8Array[] = [];
  let bytesWaiting = 0;
  let reader: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isAsking = false;

  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        reader = controller;
      },
      pull: () => {
        isAsking = true;
        handOver();
      },
      cancel: () => ending.abort(),
    },
    { highWaterMark: 0 },
  );

  function handOver(): void {
    const next = isAsking ? waiting.shift() : undefined;
    if (next) {
      isAsking = false;
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
      handOver();
    }
  }

  function write(text: string): void {
    if (ended.aborted) {
      return;
    }
    const bytes = encoder.encode(text);
    waiting.push(bytes);
    bytesWaiting += bytes.byteLength;
    if (bytesWaiting > mostWaiting) {
      waiting.length = 0;
      end();
    } else {
      handOver();
    }
  }

  const beat = () => write(':\n\n');
  // The first bytes carry the headers along, also through a proxy that waits for some.
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

/** For a stream that nobody between the two sides may keep, hold back, or compress. */
export const eventStreamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const;
