/** The network between the app and the real server of a test, with its failures, and the way to stand-ins. */
import { request as openRequest } from 'node:http';
import { vi } from 'vitest';

import { type Endpoint } from '#contract/endpoints/endpoint';

import { getBase, type TestServer } from './test-server.ts';
import { createUploadRequest } from './upload-request.ts';

/** What a refusing server answers; a string is sent as it is, as HTML. */
type Refusal = {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

type Fault = (pass: () => Promise<Response>, signal: AbortSignal | undefined) => Promise<Response>;

type SentRequest = {
  readonly method: string;
  readonly url: URL;
  readonly token: string | undefined;
  /** The parsed JSON, or the fields of a form; undefined when there is none. */
  readonly body: unknown;
};

export type Network = ReturnType<typeof connect>;

/** The parsed JSON, or the fields of a form; undefined when there is no body. */
async function readBody(bytes: ArrayBuffer, form: Headers | undefined): Promise<unknown> {
  if (form) {
    return Object.fromEntries(await new Response(bytes, { headers: form }).formData());
  }
  return bytes.byteLength === 0 ? undefined : JSON.parse(new TextDecoder().decode(bytes));
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('Content-Type')?.startsWith('text/event-stream') === true;
}

function toResponse({ status, body, headers }: Refusal): Response {
  const isText = typeof body === 'string';
  return new Response(isText ? body : JSON.stringify(body ?? {}), {
    status,
    headers: { 'Content-Type': isText ? 'text/html' : 'application/json', ...headers },
  });
}

/** Points the page's `fetch` at a server. Faults hold until `heal`. */
export function connect(server: TestServer) {
  const faults = new Map<Endpoint, Fault>();
  const requests: SentRequest[] = [];
  const streams = new Set<AbortSignal>();

  const isCallTo = (endpoint: Endpoint, { method, url }: Pick<SentRequest, 'method' | 'url'>) =>
    endpoint.method === method &&
    new RegExp(`^${getBase(endpoint)}${endpoint.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(
      url.pathname,
    );

  /** A stream of events ends when the page aborts the call, as in a browser. */
  function breakable(response: Response, signal: AbortSignal): Response {
    if (!isEventStream(response) || !response.body) {
      return response;
    }
    streams.add(signal);
    signal.addEventListener('abort', () => streams.delete(signal));
    return new Response(abortable(response.body, signal), response);
  }

  async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const bytes = await request.arrayBuffer();
    const isForm = request.headers.get('Content-Type')?.startsWith('multipart/') ?? false;
    const { method } = request;
    if (url.origin !== window.location.origin) {
      // The server runs in here, too, and asks others by the same function.
      return askStandIn(url, { method, headers: request.headers, body: bytes });
    }
    requests.push({
      method,
      url,
      token: request.headers.get('Authorization')?.replace('Bearer ', ''),
      body: await readBody(bytes, isForm ? request.headers : undefined),
    });
    const pass = async () =>
      server.app.request(url.pathname + url.search, {
        method,
        headers: request.headers,
        ...(bytes.byteLength === 0 ? {} : { body: bytes }),
      });
    const signal = init?.signal ?? (input instanceof Request ? input : request).signal;
    const fault = [...faults].find(([endpoint]) => isCallTo(endpoint, { method, url }))?.[1];
    return breakable(await (fault ? fault(pass, signal) : pass()), signal);
  }

  vi.stubGlobal('fetch', send);
  vi.stubGlobal('XMLHttpRequest', createUploadRequest(send));

  return {
    /** Everything the page asked for, in order. */
    requests,
    requestsTo: (endpoint: Endpoint) => requests.filter((sent) => isCallTo(endpoint, sent)),

    /** How many streams of events the page is listening to. */
    openStreams: () => streams.size,

    /** The server says no. */
    refuse(endpoint: Endpoint, refusal: Refusal) {
      faults.set(endpoint, () => Promise.resolve(toResponse(refusal)));
    },

    /** The connection breaks before an answer. */
    drop(endpoint: Endpoint) {
      faults.set(endpoint, () => Promise.reject(new TypeError('Failed to fetch')));
    },

    /** The server does what it was told, and the connection breaks before its answer arrives. */
    lose(endpoint: Endpoint) {
      faults.set(endpoint, async (pass) => {
        await pass();
        throw new TypeError('Failed to fetch');
      });
    },

    /**
     * No answer comes until the returned function lets the waiting calls through; with an answer, they
     * get this one.
     */
    hang(endpoint: Endpoint, answer?: Refusal): () => void {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      faults.set(endpoint, (pass, signal) =>
        Promise.race([
          released.then(() => (answer ? toResponse(answer) : pass())),
          new Promise<Response>((_resolve, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason));
          }),
        ]),
      );
      return () => {
        faults.delete(endpoint);
        release();
      };
    },

    /** From now on the real server answers again. */
    heal: (endpoint: Endpoint) => void faults.delete(endpoint),
  };
}

/** The body, which fails when the call is aborted; its source is then cancelled. */
export function abortable(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | null | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const breakOff = () => {
        controller.error(new DOMException('The call was aborted', 'AbortError'));
        reader.cancel().catch(() => undefined);
      };
      if (signal?.aborted) {
        breakOff();
      }
      signal?.addEventListener('abort', breakOff);
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) {
        controller.close();
      } else {
        controller.enqueue(value);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Asks a stand-in as a server does, without origin, cookies or rules of browsers. */
function askStandIn(
  url: URL,
  { method, headers, body }: { method: string; headers: Headers; body: ArrayBuffer },
): Promise<Response> {
  if (url.hostname !== '127.0.0.1') {
    return Promise.reject(new TypeError(`A test must not ask ${url.hostname}`));
  }
  return new Promise((resolve, reject) => {
    const sent = openRequest(
      url,
      { method, headers: Object.fromEntries(headers.entries()) },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          const status = answer.statusCode ?? 500;
          const fields = Object.entries(answer.headers).map(
            ([name, value]) => [name, String(value)] as [string, string],
          );
          resolve(
            new Response(status === 204 ? null : Buffer.concat(parts), {
              status,
              headers: fields,
            }),
          );
        });
      },
    );
    sent.on('error', reject);
    sent.end(Buffer.from(body));
  });
}
