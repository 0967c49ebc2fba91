/** A worker that reads large responses, so that the page stays responsive. */
import { type PreviewKind, readBody } from './read-body.ts';

export type WorkerInput = { readonly body: Blob; readonly kind: PreviewKind | undefined };

// Only the page that started the worker can post to it.
// oxlint-disable-next-line unicorn/prefer-add-event-listener
self.onmessage = async ({ data: { body, kind } }: MessageEvent<WorkerInput>) => {
  const json = readBody(await body.text(), kind);
  const buffers = json
    ? [json.lines.starts, json.lines.ends, json.lines.depths, json.lines.closes].map(
        ({ buffer }) => buffer,
      )
    : [];
  self.postMessage(json, { transfer: buffers });
};
