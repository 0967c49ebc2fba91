/** HTTP requests to other servers, with limits on time and size. All upstream modules use it. */
import { timed } from '#server/lib/telemetry';

export type FetchRequest = {
  /** What metrics and traces call the other server; a fixed word. */
  readonly service: string;
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams | FormData;
  /** Milliseconds until the whole body must have arrived. */
  readonly timeoutMs: number;
  /** Maximum size of the body. Default 4 MB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
};

export type FetchReply = {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
};

/** The other server sent no usable response. */
export class NoReply extends Error {
  readonly reason: 'unreachable' | 'timeout' | 'too-large' | 'aborted';

  constructor(reason: NoReply['reason'], cause?: unknown) {
    super(`no reply: ${reason}`, { cause });
    this.name = 'NoReply';
    this.reason = reason;
  }
}

const defaultMaxBytes = 4 * 1024 * 1024;

/** Returns responses of every status. Redirects are not followed. Throws `NoReply`. */
export function fetchReply(request: FetchRequest): Promise<FetchReply> {
  return timed(watchCall(request.service), () => fetchWhole(request));
}

/** How a call is counted: `done`, `refused` (4xx), `failed` (5xx), or why there was no reply. */
export const watchCall = (service: string) =>
  ({
    what: 'upstreamCall',
    labels: { service },
    toOutcome: ({ status }: { readonly status: number }) =>
      status < 400 ? 'done' : status < 500 ? 'refused' : 'failed',
    toFailure: (error: unknown) => (error instanceof NoReply ? error.reason : 'failed'),
  }) as const;

async function fetchWhole({
  url,
  method = 'GET',
  headers = {},
  body,
  timeoutMs,
  maxBytes = defaultMaxBytes,
  signal,
}: Omit<FetchRequest, 'service'>): Promise<FetchReply> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: response.status,
      headers: response.headers,
      bytes: await readBody(response, maxBytes),
    };
  } catch (error) {
    if (error instanceof NoReply) {
      throw error;
    }
    const reason = signal?.aborted ? 'aborted' : deadline.aborted ? 'timeout' : 'unreachable';
    throw new NoReply(reason, error);
  }
}

type StreamRequest = Pick<FetchRequest, 'service' | 'url' | 'headers'> & {
  readonly method: 'GET' | 'HEAD';
  /** Milliseconds until the headers must have arrived. The body may take longer. */
  readonly timeoutMs: number;
  /** Also ends the body. */
  readonly signal: AbortSignal;
};

/** Returns the response as soon as its headers have arrived. Redirects are not followed. Throws `NoReply`. */
export function fetchStream(request: StreamRequest): Promise<Response> {
  return timed(watchCall(request.service), () => fetchHeaders(request));
}

async function fetchHeaders({
  url,
  method,
  headers = {},
  timeoutMs,
  signal,
}: Omit<StreamRequest, 'service'>): Promise<Response> {
  const start = new AbortController();
  const timer = setTimeout(() => start.abort(), timeoutMs);
  try {
    return await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, start.signal]),
    });
  } catch (error) {
    const reason = signal.aborted ? 'aborted' : start.signal.aborted ? 'timeout' : 'unreachable';
    throw new NoReply(reason, error);
  } finally {
    clearTimeout(timer);
  }
}

async function readBody(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new NoReply('too-large');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The body as JSON; undefined when it is not JSON. */
export function readJson({ bytes }: Pick<FetchReply, 'bytes'>): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
