/** The door of the sketch painter: pictures painted by rules from a prompt and a seed, without AI. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { ownSoftware, type PictureRecipe } from '#server/lib/picture-recipe';
import { createThreadPool } from '#server/lib/thread-pool';

import { type ImageEngine } from '../image-engine.ts';
import { type SketchInput } from './scene.ts';

export type SketchRequest = SketchInput & {
  /** Whether the picture says that it was made without AI. Default true. */
  readonly caption?: boolean;
  /** Default `png`. */
  readonly format?: 'png' | 'webp';
  /** Of a WebP, from 1 to 100. Default 82. */
  readonly quality?: number;
};

const paintInThread = createThreadPool<SketchRequest>({
  script: join(import.meta.dirname, 'worker.ts'),
  // One processor stays free for the rest of the server.
  maxThreads: Math.min(4, Math.max(1, availableParallelism() - 1)),
  failure: 'A sketch could not be painted',
});

/** Returns the bytes of a picture file. */
export type PaintSketch = (request: SketchRequest) => Promise<Buffer>;

/** Returns the bytes of a picture file. The same request always returns the same bytes. */
export async function renderSketch(request: SketchRequest): Promise<Buffer> {
  const bytes = await paintInThread(request);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const picturesAtOnce = 8;
/** Higher than that of covers: these pictures are looked at in full size, and kept. */
const originalQuality = 90;

type SketchEngineOptions = {
  readonly seedMax?: bigint;
  readonly pictures?: number;
  readonly paint?: PaintSketch | undefined;
};

/**
 * An engine that needs no service. It stands in for a provider: `seedMax` is the provider's largest
 * seed, `pictures` the number of pictures per generation. `paint` is replaced by tests.
 */
export function createSketchEngine({
  seedMax = 2n ** 63n - 1n,
  pictures = 1,
  paint = renderSketch,
}: SketchEngineOptions = {}): ImageEngine {
  return {
    name: 'sketch',
    abilities: {
      seedMax,
      concurrency: Math.max(1, Math.floor(picturesAtOnce / pictures)),
      deadlineMs: pictures * 60_000,
      isLocal: true,
      isFree: true,
      pictures,
    },
    origin: {
      software: ownSoftware.sketch,
      steps: 1,
      sampler: 'Nori sketch',
      usesSeed: true,
      usesScale: false,
    },
    make: async (recipe) => {
      const seeds = Array.from({ length: pictures }, (_, index) =>
        String(BigInt(recipe.seed) + BigInt(index)),
      );
      const files = await Promise.all(seeds.map((seed) => paint(toRequest({ ...recipe, seed }))));
      return { files, seed: recipe.seed, seeds };
    },
  };
}

function toRequest(recipe: PictureRecipe): SketchRequest {
  const { prompt, seed, width, height, modelId, loras, style } = recipe;
  const addOns = Object.entries(loras).map(([id, weight]) => `${id} ${weight}`);
  const variant = [modelId, ...addOns.toSorted((one, other) => (one < other ? -1 : 1))].join('\n');
  return {
    prompt,
    seed,
    width,
    height,
    variant,
    style,
    // About 70 kB instead of the 1.1 MB of a PNG: the paper's grain cannot be compressed without loss.
    format: 'webp',
    quality: originalQuality,
  };
}
