/** Stable Diffusion web UI (A1111, Forge) on somebody's own graphics card, by the API it has with `--api`. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';

import { ask, jsonOf, type Reply } from './ask.ts';
import { type ImageEngine, type Making, type PictureRecipe } from './image-engine.ts';
import { asImageError, notUnderstood, refusalOf } from './image-errors.ts';

const secondMs = 1000;
const steps = 25;
/** A picture comes as text, which is a third longer. */
const maxBytes = 40 * 1024 * 1024;
/** Just below the time after which the platform itself gives a request up. */
const longestMs = 290 * secondMs;
const namedModels = 5;

export type A1111Options = {
  /** Without a slash at its end. */
  readonly url: string;
  /** `user:password`, where the web UI was started with `--api-auth`. */
  readonly auth?: string | undefined;
  /** For one picture, in milliseconds. */
  readonly timeoutMs?: number;
};

const modelList = v.array(
  v.object({ title: v.string(), model_name: v.string(), hash: v.optional(v.nullable(v.string())) }),
);

const answer = v.object({
  images: v.pipe(v.array(v.string()), v.nonEmpty()),
  info: v.optional(v.string(), '{}'),
});
const made = v.object({ seed: v.pipe(v.number(), v.integer(), v.minValue(0)) });

export function connectA1111({ url, auth, timeoutMs = longestMs }: A1111Options): ImageEngine {
  const headers = {
    'Content-Type': 'application/json',
    ...(auth === undefined
      ? {}
      : { Authorization: `Basic ${Buffer.from(auth, 'utf8').toString('base64')}` }),
  };

  async function get(path: string, signal: AbortSignal): Promise<unknown> {
    const reply = await ask({ url: `${url}${path}`, headers, timeoutMs, signal });
    return bodyOf(reply);
  }

  /** How the web UI calls the model. Throws `invalid_model`, with names of those that it has. */
  async function titleOf(modelId: string, signal: AbortSignal): Promise<string> {
    const parsed = v.safeParse(modelList, await get('/sdapi/v1/sd-models', signal));
    if (!parsed.success) {
      throw notUnderstood();
    }
    const found = parsed.output.find(
      ({ title, model_name, hash }) =>
        modelId === title || modelId === model_name || modelId === hash,
    );
    if (found === undefined) {
      const names = parsed.output.slice(0, namedModels).map(({ model_name }) => model_name);
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
    const reply = await ask({
      url: `${url}/sdapi/v1/txt2img`,
      method: 'POST',
      headers,
      body: JSON.stringify({ ...wishOf(recipe, title), force_task_id: taskId }),
      timeoutMs,
      maxBytes,
      signal,
    });
    const parsed = v.safeParse(answer, bodyOf(reply));
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

    cancel: async () => {
      await ask({ url: `${url}/sdapi/v1/interrupt`, method: 'POST', headers, timeoutMs });
    },
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

/** Throws a refusal. What it refuses with 5xx is mostly a card without enough memory. */
function bodyOf(reply: Reply): unknown {
  if (reply.status === 404) {
    // Another program, or one that was started without its API.
    throw new AppError('image_service_unavailable');
  }
  if (reply.status >= 300) {
    throw refusalOf(reply.status, reply.bytes.toString('utf8'));
  }
  return jsonOf(reply);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Then the seed that was asked for is the best there is to know.
    return undefined;
  }
}
