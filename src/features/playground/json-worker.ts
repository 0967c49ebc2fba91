/** Reads large answers beside the page, so that it never stands still meanwhile. */
import { readBody } from './json-reader.ts';
import { type PreviewKind } from './preview-link.ts';

export type BodyToRead = { readonly body: Blob; readonly kind: PreviewKind | undefined };

// The page alone can send here: the worker is its own.
// oxlint-disable-next-line unicorn/prefer-add-event-listener
self.onmessage = async ({ data: { body, kind } }: MessageEvent<BodyToRead>) => {
  const read = readBody(await body.text(), kind);
  const buffers = read
    ? [read.lines.starts, read.lines.ends, read.lines.depths, read.lines.closes].map(
        ({ buffer }) => buffer,
      )
    : [];
  self.postMessage(read, { transfer: buffers });
};
