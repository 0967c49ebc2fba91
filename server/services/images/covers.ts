/** Pictures of models and of Kusa's styles: sketches, or the styles of another server. */
import { type WireStyle } from '#contract/endpoints/kusa';
import { type Dependencies } from '#server/app/dependencies';
import { type ObjectStore } from '#server/lib/object-store';
import { connectKusa } from '#server/upstream/images/kusa';
import { renderSketch, type SketchRequest } from '#server/upstream/images/sketch/index';

import { findModel } from './model-catalogue.ts';

/** Returns the sketch with this name. The same name must always have the same request. */
export type Paintings = {
  readonly read: (name: string, request: SketchRequest) => Promise<Buffer>;
};

/** Sketches that never change: painted at the first request, and stored. Tests replace `paint`. */
export function createPaintings(objects: ObjectStore, paint = renderSketch): Paintings {
  const painting = new Map<string, Promise<Buffer>>();

  async function paintAndStore(name: string, request: SketchRequest) {
    const bytes = await paint(request);
    // If the disk is full, the sketch is painted again next time.
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

/** Raise it when sketches change: browsers keep covers for a year. */
export const coverVersion = 'v1';

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

/** Name, original name, the prompt of its picture, and the sketch style of the picture. No real artist is named. */
const styleEntries = [
  ['ink-wash', 'Ink Wash', 'misty mountains, pine, ink, monochrome', 'realistic'],
  ['woodblock', 'Woodblock Print', 'great wave, sea, distant peak', 'sdxl-1.0'],
  ['cel-shade', 'Cel Shading', 'blue summer sky, clouds, meadow', 'anime'],
  ['night-market', 'Night Market', 'city street at night, lanterns, rain', 'imagine-turbo'],
  ['pixel-quest', 'Pixel Art', 'castle on a hill, dragon, sunset', 'flux-schnell'],
  ['watercolour', 'Watercolour', 'lake, soft pastel dawn, petals', 'realistic'],
  ['noir', 'Film Noir', 'city skyline at midnight, black, ink, moon', 'flux-dev'],
  ['sakura-time', 'Sakura Season', 'cherry blossom, pink petals, river', 'anime'],
  ['synthwave', 'Synthwave', 'neon skyline, synthwave sunset, purple', 'imagine-turbo'],
  ['deep-sea', 'Deep Sea', 'underwater, teal ocean, fish, mermaid', 'flux-dev'],
  ['ember-fall', 'Ember Fall', 'volcano, lava, ember sparks', 'imagine-turbo'],
  ['paper-cut', 'Paper Cut', 'ridges, forest, layered hills, day', 'anime'],
  ['frostbite', 'Frostbite', 'snow, frozen lake, winter, silver moon', 'flux-dev'],
  ['moss-garden', 'Moss Garden', 'green forest, moss, old tree, fireflies', 'realistic'],
  ['star-atlas', 'Star Atlas', 'galaxy, nebula, planets in space', 'flux-dev'],
  ['desert-rose', 'Desert Rose', 'desert dunes, golden sunset, camel', 'realistic'],
  ['storybook', 'Storybook', 'fox in a meadow, autumn leaves, cozy', 'sdxl-1.0'],
  ['mosaic', 'Mosaic', 'harbour, boats, turquoise water', 'flux-schnell'],
  ['charcoal', 'Charcoal', 'forest path, fog, charcoal, pencil', 'realistic'],
  ['pop-poster', 'Pop Poster', 'beach, palm, orange sun, summer', 'imagine-turbo'],
  ['lantern-fest', 'Lantern Festival', 'river at night, lanterns, stars', 'sdxl-1.0'],
  ['mecha-yard', 'Mecha Yard', 'robot, mecha, futuristic city, neon', 'flux-dev'],
  ['fairy-ring', 'Fairy Ring', 'fairy, mushrooms, forest, elf, moon', 'anime'],
  ['gold-leaf', 'Gold Leaf', 'gold fields, sunset, lone tree', 'imagine-turbo'],
  ['moonlit', 'Moonlight', 'moon over the sea, night, calm', 'flux-dev'],
  ['polaroid', 'Instant Photo', 'beach, evening, romantic sunset', 'realistic'],
  ['tapestry', 'Tapestry', 'deer, forest, mountains, autumn', 'flux-schnell'],
  ['stained-glass', 'Stained Glass', 'castle, rose sky, tower, dawn', 'anime'],
  ['rainy-pane', 'Rainy Window', 'city, rain, blue evening, towers', 'sdxl-1.0'],
  ['cloud-isle', 'Cloud Island', 'island in the clouds, bright day, birds', 'anime'],
  ['lava-lamp', 'Lava Lamp', 'purple dusk, hills, violet sky', 'imagine-turbo'],
  ['blueprint', 'Blueprint', 'towers, skyline, blue, midnight', 'flux-dev'],
  ['cross-stitch', 'Cross Stitch', 'cottage, meadow, spring, rose', 'flux-schnell'],
  ['aurora', 'Aurora', 'northern lights, arctic night, snow', 'imagine-turbo'],
  ['harvest', 'Harvest Moon', 'farm, field, harvest, orange moon', 'sdxl-1.0'],
  ['tide-pool', 'Tide Pool', 'lagoon, beach, waves, turquoise', 'realistic'],
  ['steam-works', 'Steam Works', 'city, copper sky, sunset, towers', 'flux-schnell'],
  ['ghost-light', 'Ghost Light', 'witch, night forest, candle, moon', 'flux-dev'],
  ['candy-hills', 'Candy Hills', 'pink hills, cute, pastel sky', 'anime'],
  ['old-map', 'Old Map', 'island, ship, sand, sea, gold', 'realistic'],
  ['rose-quartz', 'Rose Quartz', 'rose dawn, lake, soft light', 'sdxl-1.0'],
  ['comet-tail', 'Comet Tail', 'comet, night sky, stars, ridge', 'flux-dev'],
  ['bonfire', 'Bonfire', 'camp fire, dark forest, sparks', 'realistic'],
  ['snow-globe', 'Snow Globe', 'snow village, winter, white trees', 'anime'],
  ['jungle-heat', 'Jungle Heat', 'jungle, waterfall, green, sun', 'imagine-turbo'],
  ['red-planet', 'Red Planet', 'alien planet, red dunes, two moons, space', 'flux-schnell'],
  ['quiet-harbour', 'Quiet Harbour', 'harbour, dusk, boats, lake', 'realistic'],
  ['silver-screen', 'Silver Screen', 'train, city, monochrome, noir, night', 'sdxl-1.0'],
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
  readonly prompt: string;
  readonly paintedAs: string;
  readonly width: number;
  readonly height: number;
};

const builtInStyles: readonly BuiltInStyle[] = styleEntries.map(
  ([name, originalName, prompt, paintedAs], index) => {
    const { width, height } = styleSizes[index % styleSizes.length] ?? styleSizes[0];
    return { id: String(index + 1), name, originalName, prompt, paintedAs, width, height };
  },
);

/** Raise it when sketches change: browsers keep these pictures for a year. */
export const kusaPictureVersion = 'v1';

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
  const builtIn = builtInStyles.map(({ id, name, originalName, width, height }) => ({
    id,
    name,
    og_name: originalName,
    image_url: `${folder}/${id}.webp`,
    width,
    height,
  }));

  return {
    list: async () => remote?.list() ?? builtIn,

    picture: async (id) => {
      const style = builtInStyles.find((one) => one.id === id);
      if (style === undefined) {
        return undefined;
      }
      const { name, prompt, paintedAs, width, height } = style;
      return paintings.read(`${id}-${kusaPictureVersion}-style`, {
        prompt,
        seed: name,
        style: paintedAs,
        width,
        height,
        caption: false,
        format: 'webp',
      });
    },
  };
}
