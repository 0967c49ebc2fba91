/** Reads an answer's body on the page, or in a worker when it is large. */
import { type ReadBody, readBody } from './json-reader.ts';
import type { BodyToRead } from './json-worker.ts';
import { type PreviewKind } from './preview-link.ts';

/** Bytes from which on reading takes longer than a worker does to start. */
const largeBytes = 500_000;

type Body = { readonly text: string; readonly json: ReadBody | undefined };

export async function readAnswer(body: Blob, kind: PreviewKind | undefined): Promise<Body> {
  if (body.size < largeBytes || typeof Worker === 'undefined') {
    const text = await body.text();
    return { text, json: readBody(text, kind) };
  }
  const [text, json] = await Promise.all([body.text(), inWorker({ body, kind })]);
  return { text, json: json === 'failed' ? readBody(text, kind) : json };
}

/** `failed` where workers are refused. */
function inWorker(order: BodyToRead): Promise<ReadBody | undefined | 'failed'> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('json-worker.ts', import.meta.url), { type: 'module' });
    const done = (result: ReadBody | undefined | 'failed') => {
      worker.terminate();
      resolve(result);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<ReadBody | undefined>) =>
      done(data),
    );
    worker.addEventListener('error', () => done('failed'));
    // That rule is about windows; a worker has no other origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(order);
  });
}
