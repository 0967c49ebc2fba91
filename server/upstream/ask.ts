/** The one way in which the server asks other servers over HTTP: with a time limit and a limit on what is read. */

export type Question = {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams | FormData;
  /** Milliseconds until the answer must be there, the body included. */
  readonly timeoutMs: number;
  /** Bytes of the answer that are read at most. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
};

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
};

/** Why no answer came: the other server is down, too slow, or says more than anybody should. */
export class NoAnswer extends Error {
  readonly reason: 'unreachable' | 'timeout' | 'too-large' | 'aborted';

  constructor(reason: NoAnswer['reason'], cause?: unknown) {
    super(`no answer: ${reason}`, { cause });
    this.name = 'NoAnswer';
    this.reason = reason;
  }
}

const usualMaxBytes = 4 * 1024 * 1024;

/** Asks and reads the answer, whatever its status. Redirects are not followed. Throws `NoAnswer`. */
export async function ask({
  url,
  method = 'GET',
  headers = {},
  body,
  timeoutMs,
  maxBytes = usualMaxBytes,
  signal,
}: Question): Promise<Reply> {
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
      bytes: await readAtMost(response, maxBytes),
    };
  } catch (error) {
    if (error instanceof NoAnswer) {
      throw error;
    }
    const reason = signal?.aborted ? 'aborted' : deadline.aborted ? 'timeout' : 'unreachable';
    throw new NoAnswer(reason, error);
  }
}

type StreamQuestion = Pick<Question, 'url' | 'headers'> & {
  readonly method: 'GET' | 'HEAD';
  /** Milliseconds until the answer must have begun. How long the rest takes is the asker's business. */
  readonly timeoutMs: number;
  /** Ends the answer, too. */
  readonly signal: AbortSignal;
};

/** Asks for what is passed on as it comes and never kept. Redirects are not followed. Throws `NoAnswer`. */
export async function askStream({
  url,
  method,
  headers = {},
  timeoutMs,
  signal,
}: StreamQuestion): Promise<Response> {
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
    throw new NoAnswer(reason, error);
  } finally {
    clearTimeout(timer);
  }
}

async function readAtMost(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new NoAnswer('too-large');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The JSON of an answer; undefined when it is none. */
export function jsonOf({ bytes }: Reply): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
