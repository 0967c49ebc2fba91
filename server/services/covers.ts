/** Covers of the built-in models: painted when somebody first looks, and kept. */
import { type ObjectStore } from '#server/lib/object-store';
import { renderSketch } from '#server/upstream/sketch/sketch';

import { findModel } from './model-catalogue/catalogue.ts';

export const coverVariants = ['public', 'thumbnail'] as const;
type CoverVariant = (typeof coverVariants)[number];

/** The longer side, in pixels. */
const sides = { public: 768, thumbnail: 400 } as const satisfies Record<CoverVariant, number>;

/** Painting in another way must give covers another address, as browsers keep them for a year. */
export const coverVersion = 'v1';

export type Covers = {
  /** A WebP; undefined when there is no such model. */
  readonly read: (modelId: string, variant: CoverVariant) => Promise<Buffer | undefined>;
};

/** `paint` is the renderer; tests count its calls. */
export function createCovers(objects: ObjectStore, paint = renderSketch): Covers {
  const painting = new Map<string, Promise<Buffer>>();

  async function paintAndKeep(name: string, order: Parameters<typeof renderSketch>[0]) {
    const bytes = await paint(order);
    // Without room on the disk a cover is painted again the next time; it can be seen all the same.
    await objects.put(name, bytes).catch(() => undefined);
    return bytes;
  }

  return {
    read: async (modelId, variant) => {
      const model = findModel(modelId);
      if (!model) {
        return undefined;
      }
      const name = `${model.id}-${variant}-${coverVersion}-cover`;
      const kept = await objects.read(name);
      if (kept) {
        return kept.bytes;
      }
      const { prompt, width, height } = model.cover;
      const scale = sides[variant] / Math.max(width, height);
      const order = {
        prompt,
        seed: model.id,
        style: model.type,
        width: Math.round(width * scale),
        height: Math.round(height * scale),
        caption: false,
        format: 'webp',
      } as const;
      // Of many who look at the same moment one has it painted.
      const running =
        painting.get(name) ?? paintAndKeep(name, order).finally(() => painting.delete(name));
      painting.set(name, running);
      return running;
    },
  };
}
