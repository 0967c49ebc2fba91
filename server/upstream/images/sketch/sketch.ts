/** Pictures without any AI: painted by rules from the words and the seed, the same each time. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { createThreadPool } from '#server/lib/thread-pool';

import { type SketchWish } from './scene.ts';
import { type SketchWork } from './work.ts';

export type SketchOrder = SketchWish & {
  /** Whether the picture says that it was made without AI. Default true. */
  readonly caption?: boolean;
  readonly format?: 'png' | 'webp';
  /** For the metadata of a PNG: keyword → text. */
  readonly texts?: Readonly<Record<string, string>>;
};

const inThread = createThreadPool<SketchWork>({
  script: join(import.meta.dirname, 'worker.ts'),
  // One processor is left for everything else that the server does.
  mostThreads: Math.min(4, Math.max(1, availableParallelism() - 1)),
  failure: 'A sketch could not be painted',
});

/** The file of a picture. The same order always gives the same bytes. */
export async function renderSketch({
  caption = true,
  format = 'png',
  texts = {},
  ...wish
}: SketchOrder): Promise<Buffer> {
  const bytes = await inThread({ wish: { ...wish, caption, format }, texts });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
