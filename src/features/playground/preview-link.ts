/** What an answer links to that can be shown: a picture, or a sound. */
import * as v from 'valibot';

export type PreviewKind = 'image' | 'audio';

const result = v.object({ result: v.pipe(v.string(), v.startsWith('http')) });
const images = v.object({ images: v.looseTuple([v.object({ stream_url: v.string() })]) });
const stream = v.object({ stream_url: v.string() });

export function previewIn(body: unknown, kind: PreviewKind | undefined): string | undefined {
  if (kind === 'image') {
    if (v.is(result, body)) {
      return body.result;
    }
    return v.is(images, body) ? body.images[0].stream_url : undefined;
  }
  return kind === 'audio' && v.is(stream, body) ? body.stream_url : undefined;
}
