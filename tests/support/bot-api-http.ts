/** How the Bot API stand-in reads calls, and how it answers or fails them. */
import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import { readForm } from './bot-api-documents.ts';

/** How a call fails. */
export type Failure =
  | {
      readonly error_code: number;
      readonly description: string;
      readonly parameters?: { readonly retry_after?: number; readonly migrate_to_chat_id?: number };
    }
  /** Takes the call and never answers. */
  | 'hang'
  /** Closes the connection in the middle. */
  | 'reset'
  /** Answers a page instead of JSON, as a broken proxy does. */
  | 'html'
  /** Answers well-formed JSON of an unknown shape. */
  | { readonly result: unknown };

/** What a request says: JSON, or a form with files. */
export async function readBody(
  request: IncomingMessage,
): Promise<Readonly<Record<string, unknown>>> {
  const parts: Buffer[] = [];
  for await (const part of request) {
    parts.push(part);
  }
  const bytes = Buffer.concat(parts);
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('multipart/form-data')) {
    return readForm(bytes, type);
  }
  const text = bytes.toString('utf8');
  return text === '' ? {} : JSON.parse(text);
}

/** Answers with JSON. */
export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Answers with the failure. */
export function failLike(failure: Failure, response: ServerResponse): void {
  if (failure === 'hang') {
    return;
  }
  if (failure === 'reset') {
    response.destroy();
  } else if (failure === 'html') {
    response.writeHead(502, { 'content-type': 'text/html' });
    response.end('<h1>Bad gateway</h1>');
  } else if ('result' in failure) {
    send(response, 200, { ok: true, result: failure.result });
  } else {
    send(response, failure.error_code, { ok: false, ...failure });
  }
}

/** Listens on a port of loopback, on a free one for 0. Returns the port. */
export async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The Bot API stand-in has no port');
  }
  return address.port;
}
