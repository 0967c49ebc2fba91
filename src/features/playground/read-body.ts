/** Reads the body of a response: whether it is JSON, its lines, what it links to, and its error. */
import * as v from 'valibot';

import { readErrorBody } from '#contract/endpoints/errors';

import { type JsonLines, layOut } from './json-lines.ts';

export type PreviewKind = 'image' | 'audio';

export type JsonBody = {
  readonly lines: JsonLines;
  /** The link to a picture or a sound. */
  readonly preview: string | undefined;
  /** The server's message, when it is an error. */
  readonly detail: string | undefined;
};

/** Undefined when the text is not JSON. */
export function readBody(text: string, kind: PreviewKind | undefined): JsonBody | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  return {
    lines: layOut(text),
    preview: readPreviewLink(body, kind),
    detail: readErrorBody(body).detail,
  };
}

const result = v.object({ result: v.pipe(v.string(), v.startsWith('http')) });
const images = v.object({ images: v.looseTuple([v.object({ stream_url: v.string() })]) });
const stream = v.object({ stream_url: v.string() });

function readPreviewLink(body: unknown, kind: PreviewKind | undefined): string | undefined {
  if (kind === 'image') {
    if (v.is(result, body)) {
      return body.result;
    }
    return v.is(images, body) ? body.images[0].stream_url : undefined;
  }
  return kind === 'audio' && v.is(stream, body) ? body.stream_url : undefined;
}
