/** Reads requests of the Bot API stand-in, and sends its answers and failures. */
import { type IncomingMessage, type ServerResponse } from 'node:http';

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

/** The parsed JSON of a request. */
export async function readBody(
  request: IncomingMessage,
): Promise<Readonly<Record<string, unknown>>> {
  const parts: Buffer[] = [];
  for await (const part of request) {
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString('utf8');
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
