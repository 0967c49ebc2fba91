/** The ground of every stand-in for another server: real HTTP on loopback, recorded calls, failures on demand. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export type RecordedCall = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The parsed JSON, or the fields of a form; undefined when there is none. */
  readonly body: unknown;
};

export type Answer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes and text are sent as they are, everything else as JSON. */
  readonly body?: unknown;
};

/** How calls go wrong. */
type Failure =
  /** Takes the call and never answers. */
  | 'hang'
  /** Closes the connection in the middle. */
  | 'reset'
  /** Answers a page instead of JSON, as a broken proxy does. */
  | 'page'
  | Answer;

export type StandIn = {
  /** Without a slash at its end. */
  readonly url: string;
  readonly calls: readonly RecordedCall[];
  /** How many calls were under way at the same time at most. */
  readonly countAtOnce: () => number;
  /** The calls of a method and a path, such as `POST /v1/task`. */
  readonly callsTo: (name: string) => readonly RecordedCall[];
  /** The next `times` calls of a method and a path (one when absent) fail like this. */
  readonly fail: (name: string, failure: Failure, times?: number) => void;
  readonly close: () => Promise<void>;
};

/** Starts on a free port. Paths in `name`s may end in `*`. */
export async function listen(answer: (call: RecordedCall) => Answer): Promise<StandIn> {
  const calls: RecordedCall[] = [];
  const failures: { readonly name: string; readonly failure: Failure; times: number }[] = [];

  let underWay = 0;
  let most = 0;
  const server = createServer((request, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    response.on('close', () => {
      underWay -= 1;
    });
    void serve(request, response).catch(() => response.destroy());
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const call = { method, path, headers, body: await readBody(request) };
    calls.push(call);
    const planned = failures.find(({ name, times }) => times > 0 && isNamed(call, name));
    if (planned === undefined) {
      send(response, answer(call));
      return;
    }
    planned.times -= 1;
    if (planned.failure === 'reset') {
      response.destroy();
    } else if (planned.failure === 'page') {
      const body = Buffer.from('<html><h1>502 Bad Gateway</h1></html>');
      send(response, { headers: { 'Content-Type': 'text/html' }, body });
    } else if (planned.failure !== 'hang') {
      send(response, planned.failure);
    }
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('A stand-in has no port');
  }

  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    countAtOnce: () => most,
    callsTo: (name) => calls.filter((call) => isNamed(call, name)),
    fail: (name, failure, times = 1) => void failures.push({ name, failure, times }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isNamed({ method, path }: RecordedCall, name: string): boolean {
  const called = `${method} ${path}`;
  return name.endsWith('*') ? called.startsWith(name.slice(0, -1)) : called === name;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) {
    parts.push(part);
  }
  const bytes = Buffer.concat(parts);
  const type = request.headers['content-type'] ?? '';
  if (type.includes('multipart/form-data')) {
    const form = await new Response(bytes, { headers: { 'Content-Type': type } }).formData();
    return Object.fromEntries(form);
  }
  const text = bytes.toString('utf8');
  if (type.includes('x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  return text === '' ? undefined : JSON.parse(text);
}

function send(response: ServerResponse, { status = 200, headers, body }: Answer): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(
    Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body ?? {}),
  );
}
