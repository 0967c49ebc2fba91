/** Stable Diffusion web UI (A1111, Forge) on somebody's own graphics card, by the API it has with `--api`. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';
import { type PictureRecipe } from '#server/lib/picture-recipe';

import { type A1111Options, createA1111Api } from './a1111-api.ts';
import { type ImageEngine, type Making } from './image-engine.ts';
import { asImageError, notUnderstood } from './image-errors.ts';

const secondMs = 1000;
const steps = 25;
/** Just below the time after which the platform itself gives a request up. */
const longestMs = 290 * secondMs;
const namedModels = 5;

const answer = v.object({
  images: v.pipe(v.array(v.string()), v.nonEmpty()),
  info: v.optional(v.string(), '{}'),
});
const made = v.object({ seed: v.pipe(v.number(), v.integer(), v.minValue(0)) });

export function connectA1111({ url, auth, timeoutMs = longestMs }: A1111Options): ImageEngine {
  const api = createA1111Api({ url, auth, timeoutMs });

  /** How the web UI calls the model. Throws `invalid_model`, with names of those that it has. */
  async function titleOf(modelId: string, signal: AbortSignal): Promise<string> {
    const models = await api.listModels(signal);
    const found = models.find(
      ({ title, model_name, hash }) =>
        modelId === title || modelId === model_name || modelId === hash,
    );
    if (found === undefined) {
      const names = models.slice(0, namedModels).map(({ model_name }) => model_name);
      throw new AppError('invalid_model', {
        detail: `This server does not have that model. It has: ${names.join(', ') || 'none'}.`,
      });
    }
    return found.title;
  }

  async function draw(recipe: PictureRecipe, { onSubmitted, signal }: Making) {
    const title = await titleOf(recipe.modelId, signal);
    const taskId = randomUUID();
    await onSubmitted(taskId);
    const wish = { ...wishOf(recipe, title), force_task_id: taskId };
    const parsed = v.safeParse(answer, await api.draw(wish, signal));
    if (!parsed.success) {
      throw notUnderstood();
    }
    const [image = ''] = parsed.output.images;
    const info = v.safeParse(made, parse(parsed.output.info));
    return {
      files: [Buffer.from(image.replace(/^data:[\w/]+;base64,/, ''), 'base64')],
      seed: info.success ? String(info.output.seed) : recipe.seed,
    };
  }

  return {
    name: 'a1111',
    abilities: {
      seedMax: 2n ** 32n - 1n,
      // It makes one picture after the other anyway.
      concurrency: 1,
      deadlineMs: timeoutMs,
      isFree: true,
    },

    make: async (recipe, making) => {
      try {
        return await draw(recipe, making);
      } catch (error) {
        throw asImageError(error);
      }
    },

    cancel: () => api.interrupt(),
  };
}

function wishOf(recipe: PictureRecipe, title: string) {
  const addOns = Object.entries(recipe.loras).map(([id, weight]) => ` <lora:${id}:${weight}>`);
  return {
    prompt: `${recipe.prompt}${addOns.join('')}`,
    negative_prompt: recipe.negativePrompt,
    seed: Number(recipe.seed),
    steps,
    cfg_scale: recipe.scale,
    width: recipe.width,
    height: recipe.height,
    batch_size: 1,
    n_iter: 1,
    send_images: true,
    save_images: false,
    override_settings: { sd_model_checkpoint: title },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Then the seed that was asked for is the best there is to know.
    return undefined;
  }
}
