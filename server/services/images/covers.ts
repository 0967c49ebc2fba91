/** Covers of the built-in models: painted when somebody first looks, and kept. */
import { findModel } from './model-catalogue/catalogue.ts';
import { type Paintings } from './paintings.ts';

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

export function createCovers(paintings: Paintings): Covers {
  return {
    read: async (modelId, variant) => {
      const model = findModel(modelId);
      if (!model) {
        return undefined;
      }
      const { prompt, width, height } = model.cover;
      const scale = sides[variant] / Math.max(width, height);
      return paintings.read(`${model.id}-${variant}-${coverVersion}-cover`, {
        prompt,
        seed: model.id,
        variant: model.type,
        width: Math.round(width * scale),
        height: Math.round(height * scale),
        caption: false,
        format: 'webp',
      });
    },
  };
}
