/** Pictures without any AI: painted by rules from the words and the seed, the same each time. */
import { inThread } from './pool.ts';
import { type SketchWish } from './scene.ts';

export type SketchOrder = SketchWish & {
  /** Whether the picture says that it was made without AI. Default true. */
  readonly caption?: boolean;
  readonly format?: 'png' | 'webp';
  /** For the metadata of a PNG: keyword → text. */
  readonly texts?: Readonly<Record<string, string>>;
};

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
