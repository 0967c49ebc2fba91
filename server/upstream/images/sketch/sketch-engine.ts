import { type PictureRecipe } from '#server/lib/picture-recipe';

/** The engine of a server without any key: sketches, labelled as such. */
import { type ImageEngine } from '../image-engine.ts';
import { renderSketch } from './sketch.ts';

const secondMs = 1000;
const picturesAtOnce = 8;

/** How it stands in for a provider. */
type Manner = {
  /** Seeds are text to it, so that all of them are different. */
  readonly seedMax?: bigint;
  readonly pictures?: number;
};

export const sketchEngine = createSketchEngine();

/** Sketches as another provider would make its pictures: with its seeds, and as many for each wish. */
export function createSketchEngine({
  seedMax = 2n ** 63n - 1n,
  pictures = 1,
}: Manner = {}): ImageEngine {
  return {
    name: 'sketch',
    abilities: {
      seedMax,
      concurrency: Math.max(1, Math.floor(picturesAtOnce / pictures)),
      deadlineMs: pictures * 60 * secondMs,
      isFree: true,
      pictures,
    },
    make: async (recipe) => {
      // Neighbouring seeds give pictures that have nothing in common but the words.
      const seeds = Array.from({ length: pictures }, (_none, index) =>
        String(BigInt(recipe.seed) + BigInt(index)),
      );
      const files = await Promise.all(seeds.map((seed) => sketch({ ...recipe, seed })));
      return { files, seed: recipe.seed };
    },
  };
}

function sketch(recipe: PictureRecipe): Promise<Buffer> {
  const { prompt, seed, width, height, modelId, loras, style: look } = recipe;
  const addOns = Object.entries(loras).map(([id, weight]) => `${id} ${weight}`);
  const style = [modelId, ...addOns.toSorted((one, other) => (one < other ? -1 : 1))].join('\n');
  const texts = { parameters: parametersOf(recipe), Software: 'Nori sketch (made without AI)' };
  return renderSketch({ prompt, seed, width, height, style, look, texts });
}

/** In the layout that picture programs read: prompt, negative prompt, one line of settings. */
function parametersOf(recipe: PictureRecipe): string {
  const { prompt, negativePrompt, modelId, loras, seed, width, height, scale, style } = recipe;
  const settings = [
    'Steps: 1',
    'Sampler: Nori sketch',
    `CFG scale: ${scale}`,
    `Seed: ${seed}`,
    `Size: ${width}x${height}`,
    ...(modelId === '' ? [] : [`Model: ${modelId}`]),
    ...(style === '' ? [] : [`Style: ${style}`]),
    ...Object.entries(loras).map(([id, weight]) => `LoRA ${id}: ${weight}`),
  ];
  return [
    prompt,
    ...(negativePrompt === '' ? [] : [`Negative prompt: ${negativePrompt}`]),
    settings.join(', '),
  ].join('\n');
}
