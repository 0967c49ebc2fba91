/** The engine of a server without any key: sketches, labelled as such. */
import { type ImageEngine, type PictureRecipe } from '#server/upstream/image-engine';

import { renderSketch } from './sketch.ts';

const secondMs = 1000;

/** Seeds are text to it, so that all of them are different. */
const seedMax = 2n ** 63n - 1n;

export const sketchEngine: ImageEngine = {
  name: 'sketch',
  abilities: { seedMax, concurrency: 8, deadlineMs: 60 * secondMs, isFree: true },
  make: async (recipe) => {
    const { prompt, seed, width, height, modelId, loras } = recipe;
    const addOns = Object.entries(loras).map(([id, weight]) => `${id} ${weight}`);
    const style = [modelId, ...addOns.toSorted((one, other) => (one < other ? -1 : 1))].join('\n');
    const texts = { parameters: parametersOf(recipe), Software: 'Nori sketch (made without AI)' };
    return { bytes: await renderSketch({ prompt, seed, width, height, style, texts }), seed };
  },
};

/** In the layout that picture programs read: prompt, negative prompt, one line of settings. */
function parametersOf(recipe: PictureRecipe): string {
  const { prompt, negativePrompt, modelId, loras, seed, width, height, scale } = recipe;
  const settings = [
    'Steps: 1',
    'Sampler: Nori sketch',
    `CFG scale: ${scale}`,
    `Seed: ${seed}`,
    `Size: ${width}x${height}`,
    `Model: ${modelId}`,
    ...Object.entries(loras).map(([id, weight]) => `LoRA ${id}: ${weight}`),
  ];
  return [
    prompt,
    ...(negativePrompt === '' ? [] : [`Negative prompt: ${negativePrompt}`]),
    settings.join(', '),
  ].join('\n');
}
