/** The way from a server inside a test to stand-ins on loopback: the page's own `fetch` knows other origins only by their rules. */
import { request as openRequest } from 'node:http';

/** Asks a stand-in as a server does, without origin, cookies or rules of browsers. */
export function askStandIn(
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
