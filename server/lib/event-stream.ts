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
  let queue: ReadableStreamDefaultController<Uint8Array> | undefined;

  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        queue = controller;
      },
      cancel: () => ending.abort(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: mostWaiting }),
  );

  function end(): void {
    if (!ended.aborted) {
      ending.abort();
      queue?.close();
    }
  }

  function write(text: string): void {
    if (ended.aborted) {
      return;
    }
    queue?.enqueue(encoder.encode(text));
    if ((queue?.desiredSize ?? 0) <= 0) {
      // Nobody reads: what waits is dropped with the connection.
      ending.abort();
      queue?.error(new Error('The reader of a stream of events is too slow'));
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
