/** Reads the body of an answer: is it JSON, how is it laid out, and is there something in it to show? */
import { readErrorBody } from '#contract/endpoints/errors';

import { type JsonLines, layOut } from './json-lines.ts';
import { type PreviewKind, previewIn } from './preview-link.ts';

export type ReadBody = {
  readonly lines: JsonLines;
  /** What can be shown or played, as the answer links to it. */
  readonly preview: string | undefined;
  /** What went wrong, in the server's own words. */
  readonly detail: string | undefined;
};

/** Undefined when the text is no JSON. */
export function readBody(text: string, kind: PreviewKind | undefined): ReadBody | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  return {
    lines: layOut(text),
    preview: previewIn(body, kind),
    detail: readErrorBody(body).detail,
  };
}
