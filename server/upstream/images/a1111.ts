/** A Stable Diffusion web UI (A1111, Forge) as an engine and a model list, by its API (`--api`). */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';

import { modelId as wireModelId } from '#contract/endpoints/images';
import { AppError } from '#server/lib/errors';
import { joinList } from '#server/lib/languages';
import { ownSoftware, type PictureRecipe, type PictureSource } from '#server/lib/picture-recipe';
import { type FetchReply, fetchReply, NoReply, readJson } from '#server/upstream/fetch-json';

import {
  type EngineTask,
  type ImageEngine,
  maxNamesInRefusal,
  type ModelService,
} from './image-engine.ts';
import { toImageError, toRefusal, unreadableReply } from './image-errors.ts';
import { imageServiceTexts } from './texts.ts';

/** The web UI's own slider has these ends. */
const steps = { min: 1, max: 150, default: 25 } as const;
/** Until the samplers are read again; shorter while the web UI does not tell them. */
const samplersKeptMs = { read: 5 * 60_000, failed: 10_000 } as const;
const samplersTimeoutMs = 5000;
/** In this order; the first that the web UI has enlarges pictures, or any other where it has none of them. */
const upscalers = ['R-ESRGAN 4x+ Anime6B', 'R-ESRGAN 4x+', 'Lanczos'] as const;
const enlargement = 2;
/** Pixels over which the edge of what is made anew fades; the web UI's own default. */
const maskBlur = 4;
/** Node.js itself ends a request after 300 seconds. */
const maxGenerationMs = 290_000;
const listTimeoutMs = 15_000;
/** Pictures come as Base64, which is a third larger. */
const maxBytes = 40 * 1024 * 1024;

export type A1111Settings = {
  /** Without a slash at its end. */
  readonly url: string;
  /** `user:password`, if the web UI was started with `--api-auth`. */
  readonly auth?: string | undefined;
  /** Milliseconds for one request. */
  readonly timeoutMs?: number;
};

const modelList = v.array(
  v.object({
    /** Name, file extension and hash. */
    title: v.string(),
    model_name: v.string(),
    /** Absent until the model has been used once. */
    hash: v.optional(v.nullable(v.string())),
  }),
);
type A1111Model = v.InferOutput<typeof modelList>[number];

const loraList = v.array(v.object({ name: v.string(), alias: v.optional(v.nullable(v.string())) }));
type A1111Lora = v.InferOutput<typeof loraList>[number];

const samplerList = v.array(v.object({ name: v.pipe(v.string(), v.nonEmpty()) }));

const enlarged = v.object({ image: v.pipe(v.string(), v.nonEmpty()) });

const pictures = v.object({
  images: v.pipe(v.array(v.string()), v.nonEmpty()),
  /** JSON. */
  info: v.optional(v.string(), '{}'),
});
const pictureInfo = v.object({ seed: v.pipe(v.number(), v.integer(), v.minValue(0)) });
const usedSettings = v.object({
  steps: v.pipe(v.number(), v.integer(), v.minValue(1)),
  sampler_name: v.pipe(v.string(), v.nonEmpty()),
});
/** When the work began, which tells whose work the state is about. */
const startTime = v.object({ job_timestamp: v.pipe(v.string(), v.nonEmpty()) });

const unknownSampler = v.object({ detail: v.literal('Sampler not found') });

const taskProgress = v.object({ active: v.boolean() });
const workState = v.object({
  state: v.object({ interrupted: v.boolean(), job_timestamp: v.string() }),
});

/** Each call throws a refusal, or `NoReply`. */
function createApi({ url, auth, timeoutMs }: Required<A1111Settings>) {
  const headers = {
    'Content-Type': 'application/json',
    ...(auth === undefined
      ? {}
      : { Authorization: `Basic ${Buffer.from(auth, 'utf8').toString('base64')}` }),
  };

  const send = (path: string, options: Partial<Parameters<typeof fetchReply>[0]> = {}) =>
    fetchReply({
      service: 'a1111',
      url: `${url}${path}`,
      headers,
      timeoutMs,
      maxBytes,
      ...options,
    });

  return {
    listModels: async (signal?: AbortSignal): Promise<readonly A1111Model[]> =>
      read(await send('/sdapi/v1/sd-models', signal ? { signal } : {}), modelList),

    /** Empty when the LoRA extension is disabled. */
    listLoras: async (): Promise<readonly A1111Lora[]> => {
      const reply = await send('/sdapi/v1/loras');
      return reply.status === 404 ? [] : read(reply, loraList);
    },

    listSamplers: async (): Promise<readonly string[]> => {
      const reply = await send('/sdapi/v1/samplers', { timeoutMs: samplersTimeoutMs });
      return read(reply, samplerList).map(({ name }) => name);
    },

    /** Without the one that does nothing. */
    listUpscalers: async (signal: AbortSignal): Promise<readonly string[]> => {
      const reply = await send('/sdapi/v1/upscalers', { signal });
      return read(reply, samplerList).flatMap(({ name }) => (name === 'None' ? [] : [name]));
    },

    enlarge: async (parameters: object, signal: AbortSignal): Promise<string> => {
      const path = '/sdapi/v1/extra-single-image';
      const body = JSON.stringify(parameters);
      return read(await send(path, { method: 'POST', body, signal }), enlarged).image;
    },

    /** From words alone, or from pictures as well. */
    draw: async (parameters: object, signal: AbortSignal) => {
      const path = 'init_images' in parameters ? '/sdapi/v1/img2img' : '/sdapi/v1/txt2img';
      const body = JSON.stringify(parameters);
      const reply = await send(path, { method: 'POST', body, signal });
      if (reply.status === 404 && v.is(unknownSampler, readJson(reply))) {
        throw new AppError('invalid_input', { detail: (say) => say(imageServiceTexts).noSampler });
      }
      return read(reply, pictures);
    },

    /** Whether the web UI works on this task now. False when it cannot tell. */
    isActive: async (taskId: string): Promise<boolean> => {
      const body = JSON.stringify({ id_task: taskId, id_live_preview: -1, live_preview: false });
      const reply = await send('/internal/progress', { method: 'POST', body });
      const parsed = v.safeParse(taskProgress, readJson(reply));
      return reply.status === 200 && parsed.success && parsed.output.active;
    },

    /** The state of the work in progress, or of the last; undefined when the web UI does not tell. */
    readState: async (signal: AbortSignal) => {
      const reply = await send('/sdapi/v1/progress?skip_current_image=true', { signal });
      const parsed = v.safeParse(workState, readJson(reply));
      return parsed.success ? parsed.output.state : undefined;
    },

    /** Interrupts whatever is in progress. */
    interrupt: async (): Promise<void> => {
      await send('/sdapi/v1/interrupt', { method: 'POST' });
    },
  };
}

function read<T>(reply: FetchReply, schema: v.GenericSchema<unknown, T>): T {
  if (reply.status === 404) {
    // Another program, or a web UI that was started without its API.
    throw new AppError('image_service_unavailable');
  }
  if (reply.status >= 300) {
    throw toRefusal(reply.status, reply.bytes.toString('utf8'));
  }
  const parsed = v.safeParse(schema, readJson(reply));
  if (!parsed.success) {
    throw unreadableReply();
  }
  return parsed.output;
}

/** Makes pictures with the web UI. Each function throws a refusal, or `NoReply`. */
function createMaking(api: ReturnType<typeof createApi>) {
  /** Throws `invalid_model`, with the names of some models that exist. */
  async function findTitle(modelId: string, signal: AbortSignal): Promise<string> {
    const models = await api.listModels(signal);
    const found = models.find(
      ({ title, model_name, hash }) =>
        modelId === title || modelId === model_name || modelId === hash,
    );
    if (found === undefined) {
      const names = models.slice(0, maxNamesInRefusal).map(({ model_name }) => model_name);
      throw new AppError('invalid_model', {
        detail: (say) =>
          names.length === 0
            ? say(imageServiceTexts).noModels
            : say(imageServiceTexts).otherModels(joinList(names, say)),
      });
    }
    return found.title;
  }

  /**
   * Whether the work that has just ended was interrupted in the web UI itself, which then answers with half a
   * picture as if it were done.
   */
  async function wasInterrupted(facts: unknown, signal: AbortSignal): Promise<boolean> {
    const known = v.safeParse(startTime, facts);
    const state = known.success && (await api.readState(signal).catch(() => undefined));
    return state ? state.interrupted && state.job_timestamp === known.output?.job_timestamp : false;
  }

  /** The web UI gives this work no ID, so it cannot be interrupted. */
  async function enlarge({ seed }: PictureRecipe, { signal, source }: EngineTask) {
    const present = await api.listUpscalers(signal);
    const upscaler = upscalers.find((name) => present.includes(name)) ?? present[0];
    if (upscaler === undefined) {
      throw new AppError('generation_refused', {
        detail: (say) => say(imageServiceTexts).noUpscaler,
      });
    }
    const image = await api.enlarge(
      {
        image: (await readSource(source)).toString('base64'),
        resize_mode: 0,
        upscaling_resize: enlargement,
        upscaler_1: upscaler,
      },
      signal,
    );
    return { files: [toFile(image)], seed };
  }

  async function draw(recipe: PictureRecipe, { onSubmitted, signal, source }: EngineTask) {
    const title = await findTitle(recipe.modelId, signal);
    const taskId = randomUUID();
    await onSubmitted(taskId);
    const parameters = {
      ...toParameters(recipe, title),
      ...(recipe.source && (await toSourceParameters(recipe.source, source))),
      force_task_id: taskId,
    };
    const { images, info } = await api.draw(parameters, signal);
    const facts = readJson({ bytes: Buffer.from(info) });
    if (await wasInterrupted(facts, signal)) {
      throw new AppError('generation_cancelled');
    }
    const [image = ''] = images;
    const parsed = v.safeParse(pictureInfo, facts);
    const used = v.safeParse(usedSettings, facts);
    return {
      files: [toFile(image)],
      seed: parsed.success ? String(parsed.output.seed) : recipe.seed,
      ...(used.success && {
        used: { steps: used.output.steps, sampler: used.output.sampler_name },
      }),
    };
  }

  return (recipe: PictureRecipe, task: EngineTask) =>
    recipe.source?.mode === 'upscale' ? enlarge(recipe, task) : draw(recipe, task);
}

export function connectA1111({
  url,
  auth,
  timeoutMs = maxGenerationMs,
}: A1111Settings): ImageEngine {
  const api = createApi({ url, auth, timeoutMs });
  const make = createMaking(api);

  return {
    name: 'a1111',
    // The web UI makes one picture at a time.
    abilities: {
      seedMax: 2n ** 32n - 1n,
      concurrency: 1,
      deadlineMs: timeoutMs,
      isFree: true,
      steps,
      modes: ['variation', 'upscale', 'inpaint'],
    },
    readSamplers: createSamplerList(api.listSamplers),
    origin: {
      software: ownSoftware.a1111,
      steps: steps.default,
      usesSeed: true,
      usesScale: true,
    },

    make: async (recipe, task) => {
      try {
        return await make(recipe, task);
      } catch (error) {
        throw toImageError(error);
      }
    },

    // Interrupting names no task: while ours waits in the web UI, it would end the work of another user.
    cancel: async (taskId) => {
      if (await api.isActive(taskId)) {
        await api.interrupt();
      }
    },
  };
}

/** Keeps the list for some minutes. Empty while it cannot be read. */
function createSamplerList(list: () => Promise<readonly string[]>) {
  let known: { readonly names: Promise<readonly string[]>; until: number } | undefined;
  return (): Promise<readonly string[]> => {
    if (known !== undefined && performance.now() < known.until) {
      return known.names;
    }
    const reading = {
      until: performance.now() + samplersKeptMs.read,
      names: list().catch(() => {
        reading.until = performance.now() + samplersKeptMs.failed;
        return [];
      }),
    };
    known = reading;
    return reading.names;
  };
}

function readSource(source: EngineTask['source']): Promise<Buffer> {
  if (source === undefined) {
    throw new AppError('picture_gone');
  }
  return source.read();
}

/** The names and numbers of `StableDiffusionProcessingImg2Img` in the web UI's modules/processing.py. */
async function toSourceParameters({ mode, strength }: PictureSource, source: EngineTask['source']) {
  const picture = await readSource(source);
  const mask = mode === 'inpaint' ? await source?.readMask() : undefined;
  return {
    init_images: [picture.toString('base64')],
    denoising_strength: strength,
    // What does not have the shape of the new picture is cut off, and not pressed into it.
    resize_mode: 1,
    ...(mask && {
      mask: mask.toString('base64'),
      mask_blur: maskBlur,
      inpainting_mask_invert: 0,
      // What is there now is what it begins with.
      inpainting_fill: 1,
      // The whole picture is looked at, so that what is new fits to it.
      inpaint_full_res: false,
    }),
  };
}

const toFile = (base64: string): Buffer =>
  Buffer.from(base64.replace(/^data:[\w/]+;base64,/, ''), 'base64');

function toParameters(recipe: PictureRecipe, title: string) {
  const addOns = Object.entries(recipe.loras).map(([id, weight]) => ` <lora:${id}:${weight}>`);
  return {
    prompt: `${recipe.prompt}${addOns.join('')}`,
    negative_prompt: recipe.negativePrompt,
    seed: Number(recipe.seed),
    steps: recipe.steps ?? steps.default,
    ...(recipe.sampler !== undefined && { sampler_name: recipe.sampler }),
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

/** `id` is what recipes use. */
type Choice = { readonly id: string; readonly name: string; readonly type: 'CHECKPOINT' | 'LORA' };

export function connectA1111Models({
  url,
  auth,
  timeoutMs = listTimeoutMs,
}: A1111Settings): ModelService {
  const api = createApi({ url, auth, timeoutMs });

  async function readAll(): Promise<readonly Choice[]> {
    try {
      const [models, loras] = await Promise.all([api.listModels(), api.listLoras()]);
      return [...models.flatMap(toModelChoice), ...loras.flatMap(toLoraChoice)];
    } catch (error) {
      throw error instanceof AppError || error instanceof NoReply
        ? new AppError('model_service_failed')
        : error;
    }
  }

  const search: ModelService['search'] = async ({ first, after, keyword = '' }) => {
    const term = keyword.trim().toLowerCase();
    const found = (await readAll()).filter(({ id, name }) =>
      [id, name].some((text) => text.toLowerCase().includes(term)),
    );
    const start = readCursor(after);
    const edges = found.slice(start, start + first).map((choice, index) => ({
      cursor: String(start + index + 1),
      node: toNode(choice),
    }));
    const hasNextPage = start + first < found.length;
    return { edges, pageInfo: { hasNextPage, endCursor: edges.at(-1)?.cursor } };
  };

  return {
    // The web UI knows no likes and no dates, so there is one order only.
    list: ({ first, after }) => search({ first, after }),
    search,
    findName: async (id) => {
      try {
        return (await readAll()).find((choice) => choice.id === id)?.name;
      } catch {
        // The model is shown by its ID instead.
        return undefined;
      }
    },
  };
}

/** A model is known by its name, or by its hash if the name is not a valid ID. */
function toModelChoice({ model_name: name, hash }: A1111Model): readonly Choice[] {
  const id = [name, hash ?? ''].find((text) => isValidId(text));
  return id === undefined ? [] : [{ id, name, type: 'CHECKPOINT' }];
}

function toLoraChoice({ name, alias }: A1111Lora): readonly Choice[] {
  return isValidId(name) ? [{ id: name, name: alias || name, type: 'LORA' }] : [];
}

function isValidId(id: string): boolean {
  const parsed = v.safeParse(wireModelId, id);
  return parsed.success && parsed.output === id;
}

/** A cursor is the number of models before the page. Throws `invalid_cursor`. */
function readCursor(after: string | null | undefined): number {
  const text = after ?? '0';
  if (!/^\d{1,9}$/.test(text)) {
    throw new AppError('invalid_cursor');
  }
  return Number(text);
}

function toNode({ id, name, type }: Choice) {
  return {
    id: `${type.toLowerCase()}:${id}`,
    title: name,
    type,
    category: 'own',
    isNsfw: false,
    isPrivate: true,
    media: null,
    tags: [],
    latestAvailableVersion: { id, name, status: 'published', extra: {} },
  };
}
