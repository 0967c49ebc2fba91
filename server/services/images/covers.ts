/** Covers of models and pictures of Kusa's styles: drawn here, or those of another server. */
import { type WireStyle } from '#contract/endpoints/kusa';
import { type Dependencies } from '#server/app/dependencies';
import { type ObjectStore } from '#server/lib/object-store';
import { connectKusa } from '#server/upstream/images/kusa';
import { type CoverRequest, renderCover } from '#server/upstream/images/sketch/cover';

import { findModel } from './model-catalogue.ts';

/** Returns the drawing with this name. The same name must always have the same request. */
export type Paintings = {
  readonly read: (name: string, request: CoverRequest) => Promise<Buffer>;
};

/** Drawings that never change: painted at the first request, and stored. Tests replace `paint`. */
export function createPaintings(objects: ObjectStore, paint = renderCover): Paintings {
  const painting = new Map<string, Promise<Buffer>>();

  async function paintAndStore(name: string, request: CoverRequest) {
    const bytes = await paint(request);
    // If the disk is full, the drawing is painted again next time.
    await objects.put(name, bytes).catch(() => undefined);
    return bytes;
  }

  return {
    read: async (name, request) => {
      const stored = await objects.read(name);
      if (stored) {
        return stored.bytes;
      }
      // Simultaneous requests share one painting.
      const running =
        painting.get(name) ?? paintAndStore(name, request).finally(() => painting.delete(name));
      painting.set(name, running);
      return running;
    },
  };
}

export const coverVariants = ['public', 'thumbnail'] as const;
type CoverVariant = (typeof coverVariants)[number];

/** Pixels of the longer side. */
const sides = { public: 768, thumbnail: 400 } as const satisfies Record<CoverVariant, number>;

/** Raise it when drawings change: browsers keep covers for a year. */
export const coverVersion = 'v2';

export type Covers = {
  /** Returns a WebP; undefined when there is no such model. */
  readonly read: (modelId: string, variant: CoverVariant) => Promise<Buffer | undefined>;
};

export function createCovers(paintings: Paintings): Covers {
  return {
    read: async (modelId, variant) => {
      const model = findModel(modelId);
      if (!model) {
        return undefined;
      }
      const { width, height } = model.cover;
      const scale = sides[variant] / Math.max(width, height);
      return paintings.read(`${model.id}-${variant}-${coverVersion}-cover`, {
        ...model.cover,
        seed: model.id,
        width: Math.round(width * scale),
        height: Math.round(height * scale),
      });
    },
  };
}

/** Name, original name, and the composition, the palette and the air of its picture. No real artist is named. */
const styleEntries = [
  ['ink-wash', 'Ink Wash', 'ink-wash', 'mono', 'none'],
  ['woodblock', 'Woodblock Print', 'wave', 'lagoon', 'none'],
  ['cel-shade', 'Cel Shading', 'portrait', 'day', 'none'],
  ['night-market', 'Night Market', 'festival', 'night', 'none'],
  ['pixel-quest', 'Pixel Art', 'pixels', 'dusk', 'none'],
  ['watercolour', 'Watercolour', 'flow', 'dawn', 'none'],
  ['noir', 'Film Noir', 'city', 'mono', 'none'],
  ['sakura-time', 'Sakura Season', 'portrait', 'blossom', 'petals'],
  ['synthwave', 'Synthwave', 'sunburst', 'neon', 'none'],
  ['deep-sea', 'Deep Sea', 'koi', 'lagoon', 'none'],
  ['ember-fall', 'Ember Fall', 'mountains', 'ember', 'sparks'],
  ['paper-cut', 'Paper Cut', 'field', 'day', 'none'],
  ['frostbite', 'Frostbite', 'mountains', 'snow', 'flakes'],
  ['moss-garden', 'Moss Garden', 'botanical', 'forest', 'none'],
  ['star-atlas', 'Star Atlas', 'bottle', 'night', 'stars'],
  ['desert-rose', 'Desert Rose', 'botanical', 'dune', 'none'],
  ['storybook', 'Storybook', 'bird', 'autumn', 'leaves'],
  ['mosaic', 'Mosaic', 'stained-glass', 'lagoon', 'none'],
  ['charcoal', 'Charcoal', 'line-art', 'mono', 'none'],
  ['pop-poster', 'Pop Poster', 'sunburst', 'lagoon', 'none'],
  ['lantern-fest', 'Lantern Festival', 'festival', 'ember', 'none'],
  ['mecha-yard', 'Mecha Yard', 'mecha', 'neon', 'none'],
  ['fairy-ring', 'Fairy Ring', 'wanderer', 'forest', 'sparks'],
  ['gold-leaf', 'Gold Leaf', 'field', 'autumn', 'none'],
  ['moonlit', 'Moonlight', 'wanderer', 'night', 'stars'],
  ['polaroid', 'Instant Photo', 'film', 'dusk', 'none'],
  ['tapestry', 'Tapestry', 'bird', 'forest', 'none'],
  ['stained-glass', 'Stained Glass', 'stained-glass', 'dawn', 'none'],
  ['rainy-pane', 'Rainy Window', 'city', 'day', 'rain'],
  ['cloud-isle', 'Cloud Island', 'tea-house', 'day', 'none'],
  ['lava-lamp', 'Lava Lamp', 'flow', 'dusk', 'none'],
  ['blueprint', 'Blueprint', 'mecha', 'day', 'none'],
  ['cross-stitch', 'Cross Stitch', 'pixels', 'blossom', 'none'],
  ['aurora', 'Aurora', 'flow', 'night', 'none'],
  ['harvest', 'Harvest Moon', 'field', 'dune', 'none'],
  ['tide-pool', 'Tide Pool', 'koi', 'day', 'none'],
  ['steam-works', 'Steam Works', 'city', 'autumn', 'none'],
  ['ghost-light', 'Ghost Light', 'rim-light', 'night', 'none'],
  ['candy-hills', 'Candy Hills', 'sunburst', 'blossom', 'none'],
  ['old-map', 'Old Map', 'harbour', 'dune', 'none'],
  ['rose-quartz', 'Rose Quartz', 'rim-light', 'blossom', 'none'],
  ['comet-tail', 'Comet Tail', 'mountains', 'night', 'stars'],
  ['bonfire', 'Bonfire', 'wanderer', 'ember', 'sparks'],
  ['snow-globe', 'Snow Globe', 'bottle', 'snow', 'flakes'],
  ['jungle-heat', 'Jungle Heat', 'botanical', 'lagoon', 'none'],
  ['red-planet', 'Red Planet', 'mountains', 'ember', 'stars'],
  ['quiet-harbour', 'Quiet Harbour', 'harbour', 'dusk', 'none'],
  ['silver-screen', 'Silver Screen', 'film', 'mono', 'none'],
] as const;

/** Pixels. The styles use these sizes in turn, so that the columns of the gallery differ. */
const styleSizes = [
  { width: 480, height: 640 },
  { width: 480, height: 480 },
  { width: 480, height: 720 },
  { width: 480, height: 360 },
  { width: 480, height: 600 },
] as const;

type BuiltInStyle = {
  readonly id: string;
  readonly name: string;
  readonly originalName: string;
  readonly picture: CoverRequest;
};

const builtInStyles: readonly BuiltInStyle[] = styleEntries.map(
  ([name, originalName, composition, palette, motif], index) => {
    const size = styleSizes[index % styleSizes.length] ?? styleSizes[0];
    const picture = { composition, palette, motif, seed: name, ...size };
    return { id: String(index + 1), name, originalName, picture };
  },
);

/** Raise it when drawings change: browsers keep these pictures for a year. */
export const kusaPictureVersion = 'v2';

export type Kusa = {
  /** Throws `service_unavailable`. */
  readonly list: () => Promise<readonly WireStyle[]>;
  /** Returns the WebP of a built-in style; undefined when there is no such style. */
  readonly picture: (id: string) => Promise<Buffer | undefined>;
};

export function createKusa(
  { env, clock, serviceTimeoutMs }: Pick<Dependencies, 'env' | 'clock' | 'serviceTimeoutMs'>,
  { paintings }: { readonly paintings: Paintings },
): Kusa {
  const timeout = serviceTimeoutMs === undefined ? {} : { timeoutMs: serviceTimeoutMs };
  const remote = env.kusa && connectKusa(env.kusa, { clock, ...timeout });
  const folder = `${env.publicUrl ?? ''}/backend/media/kusa/${kusaPictureVersion}`;
  const builtIn = builtInStyles.map(({ id, name, originalName, picture }) => ({
    id,
    name,
    og_name: originalName,
    image_url: `${folder}/${id}.webp`,
    width: picture.width,
    height: picture.height,
  }));

  return {
    list: async () => remote?.list() ?? builtIn,

    picture: async (id) => {
      const style = builtInStyles.find((one) => one.id === id);
      return style && paintings.read(`${id}-${kusaPictureVersion}-style`, style.picture);
    },
  };
}
