/** What a painting thread is told. */
import { type SketchWish } from './scene.ts';

export type SketchWork = {
  readonly wish: SketchWish & {
    /** Whether the picture says that it was made without AI. */
    readonly caption: boolean;
    readonly format: 'png' | 'webp';
  };
  /** For the metadata of a PNG: keyword → text. */
  readonly texts: Readonly<Record<string, string>>;
};
