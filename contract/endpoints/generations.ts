/** The user's generations: saving, listing and deleting them. */
import * as v from 'valibot';

import { maxPromptLength } from '../images/limits.ts';
import { providerIds } from '../images/providers.ts';
import { endpoint, noAnswer, noInput } from './endpoint.ts';
import { jobKey, modelId } from './images.ts';
import { pictureFieldTexts } from './picture-texts.ts';

const text = v.pipe(
  v.optional(v.nullable(v.string())),
  v.transform((value) => value ?? undefined),
);
const pixels = v.pipe(
  v.optional(v.nullable(v.number())),
  v.transform((value) => value ?? undefined),
);
const idText = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.string());
const optionalId = v.pipe(
  v.optional(v.nullable(idText)),
  v.transform((value) => value ?? undefined),
);

/** A time in seconds is smaller than this, one in milliseconds larger. */
const maxSeconds = 1e11;
const minSeconds = 1e9;

/**
 * A time as ISO 8601, epoch milliseconds or seconds, to epoch milliseconds; undefined when it is none of
 * them. Without a time zone it is UTC, as backends write it.
 */
export function toEpochMs(value: string | number | null | undefined): number | undefined {
  if (typeof value === 'number') {
    const isSeconds = value > minSeconds && value < maxSeconds;
    return Number.isFinite(value) ? Math.round(isSeconds ? value * 1000 : value) : undefined;
  }
  const naive = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/.exec(value ?? '');
  const ms = Date.parse(naive ? `${naive[1]}T${naive[2]}Z` : (value ?? ''));
  return Number.isFinite(ms) ? ms : undefined;
}

const moment = v.pipe(
  v.optional(v.nullable(v.union([v.string(), v.number()]))),
  v.transform(toEpochMs),
);

const lenientBoolean = v.pipe(
  v.optional(v.nullable(v.union([v.boolean(), v.string(), v.number()]))),
  v.transform((value) => value === true || value === 1 || value === 'true' || value === '1'),
);

/** A seed as text, as a number cannot hold all of its digits exactly. */
const seedText = v.pipe(
  v.optional(v.nullable(v.union([v.string(), v.number()]))),
  v.transform((seed) => {
    const digits = String(seed ?? '').trim();
    return /^\d+$/.test(digits) ? digits : undefined;
  }),
);

/** One item of the history, with the field names of all backends. */
const savedItem = v.looseObject({
  id: optionalId,
  _id: optionalId,
  image_url: text,
  imageUrl: text,
  thumbnail_url: text,
  width: pixels,
  height: pixels,
  prompt: text,
  negative_prompt: text,
  negativePrompt: text,
  model_id: optionalId,
  modelId: optionalId,
  model_name: text,
  modelName: text,
  seed: seedText,
  ratio: text,
  nsfw: lenientBoolean,
  status: text,
  created_at: moment,
  timestamp: moment,
  tags: v.pipe(
    v.optional(v.nullable(v.array(v.string()))),
    v.transform((tags) => tags ?? []),
  ),
  loras: v.pipe(
    v.optional(v.nullable(v.record(v.string(), v.number()))),
    v.transform((loras) => loras ?? {}),
  ),
  job_key: text,
});

/** A picture that the server has saved. URLs need no header and may expire. */
export type SavedGeneration = {
  readonly id: string;
  readonly imageUrl: string | undefined;
  readonly thumbnailUrl: string | undefined;
  /** Pixels of the picture. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly modelId: string;
  readonly modelName: string;
  readonly seed: string | undefined;
  readonly ratio: string | undefined;
  readonly nsfw: boolean;
  readonly status: string;
  /** Epoch milliseconds. */
  readonly timestamp: number | undefined;
  readonly tags: readonly string[];
  /** LoRA ID → weight from 0 to 2. */
  readonly loras: Readonly<Record<string, number>>;
  /** The key of the job that made it, if any. */
  readonly jobKey: string | undefined;
};

/** Reads one item of the history; undefined when it is invalid. */
export function readSavedGeneration(item: unknown): SavedGeneration | undefined {
  const parsed = v.safeParse(savedItem, item);
  const id = parsed.success ? (parsed.output.id ?? parsed.output['_id']) : undefined;
  if (!parsed.success || id === undefined || id === '') {
    return undefined;
  }
  const { output } = parsed;
  const { prompt, status = 'completed', nsfw = false, tags = [], loras = {} } = output;
  return {
    id,
    imageUrl: output.image_url ?? output.imageUrl,
    thumbnailUrl: output.thumbnail_url,
    width: output.width,
    height: output.height,
    prompt: either(prompt),
    negativePrompt: either(output.negative_prompt, output.negativePrompt),
    modelId: either(output.model_id, output.modelId),
    modelName: either(output.model_name, output.modelName),
    seed: output.seed,
    ratio: output.ratio,
    nsfw,
    status,
    timestamp: output.created_at ?? output.timestamp,
    tags,
    loras,
    jobKey: output.job_key,
  };
}

function either(one: string | undefined, other?: string): string {
  return one ?? other ?? '';
}

const promptText = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(maxPromptLength, pictureFieldTexts.promptTooLong(maxPromptLength)),
);
const maxNameLength = 200;
const modelName = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(maxNameLength, pictureFieldTexts.modelNameTooLong(maxNameLength)),
);
const shortText = (hint: string) => v.pipe(v.string(), v.maxLength(40, hint));
/** A list as JSON text: long enough for all LoRAs and tags of one picture. */
const listText = v.pipe(v.string(), v.maxLength(8000, pictureFieldTexts.listTooLong));

/** Saves a finished picture. Saving again with the same key returns the first one. */
export const saveGeneration = endpoint({
  method: 'POST',
  path: '/generations/save',
  isForm: true,
  input: v.looseObject({
    model_id: modelId,
    prompt: promptText,
    image: v.instance(Blob, pictureFieldTexts.pictureMissing),
    negative_prompt: v.optional(promptText),
    seed: v.optional(shortText(pictureFieldTexts.seedTooLong)),
    ratio: v.optional(shortText(pictureFieldTexts.ratioTooLong)),
    nsfw: v.optional(shortText(pictureFieldTexts.nsfwTooLong)),
    /** Cut when it is too long, so that a long name does not prevent saving. */
    model_name: v.optional(
      v.pipe(
        v.string(),
        v.trim(),
        v.transform((name) => name.slice(0, maxNameLength)),
      ),
    ),
    /** A JSON object: LoRA ID → weight from 0 to 2. */
    loras: v.optional(listText),
    /** A JSON list of texts. */
    tags: v.optional(listText),
    job_key: v.optional(jobKey),
  }),
  /** Whatever is answered: a backend may send none of these. */
  output: v.fallback(
    v.looseObject({
      id: v.fallback(optionalId, undefined),
      image_url: v.fallback(text, undefined),
      thumbnail_url: v.fallback(text, undefined),
    }),
    { id: undefined, image_url: undefined, thumbnail_url: undefined },
  ),
  status: 201,
});

/**
 * Takes a picture that others are made from, or a mask that says which part is made anew. It is in no history, and removed
 * after a day.
 */
export const uploadSource = endpoint({
  method: 'POST',
  path: '/generations/sources',
  isForm: true,
  input: v.looseObject({ image: v.instance(Blob, pictureFieldTexts.pictureMissing) }),
  output: v.object({
    id: v.string(),
    /** Pixels, as the picture is shown. */
    width: v.number(),
    height: v.number(),
  }),
  status: 201,
});

/** The user's generations by Pix-AI, newest first; `readSavedGeneration` reads an item. */
export const listGenerations = endpoint({
  method: 'GET',
  path: '/generations/history',
  input: noInput,
  output: v.pipe(
    v.union([v.looseObject({ generations: v.array(v.unknown()) }), v.array(v.unknown())]),
    v.transform((body) => ({ generations: Array.isArray(body) ? body : body.generations })),
  ),
});

/** The links to all pictures of the user, newest first: `_id, prompt, provider, s3_urls, created_at`. */
export const listGenerationUrls = endpoint({
  method: 'GET',
  path: '/generations/history/urls',
  input: noInput,
  output: v.looseObject({ urls: v.array(v.unknown()) }),
});

const generationId = v.object({
  id: v.pipe(idText, v.regex(/^[\w-]{1,100}$/, pictureFieldTexts.unknownPicture)),
});

/**
 * Deletes a generation of any provider. Nothing lists or shows it any more; on servers with
 * `generationRestore` it can be restored for ten minutes, and is then removed.
 */
export const deleteGeneration = endpoint({
  method: 'DELETE',
  path: '/generations/:id',
  input: generationId,
  /** Whether it was deleted: some backends say so. */
  output: v.pipe(
    v.unknown(),
    v.transform((body) => body !== false),
  ),
  status: 204,
});

/**
 * What a picture was made from, for any user who has the link of it, which the bot has put under the picture; that of an
 * adult one for its owner alone. `is_own`: it is in the history of who asks.
 */
export const readLinkedRecipe = endpoint({
  method: 'GET',
  path: '/generations/recipes/:link',
  input: v.object({
    link: v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/, pictureFieldTexts.unknownPicture)),
  }),
  output: v.looseObject({
    provider: v.picklist(providerIds),
    is_own: v.boolean(),
    prompt: v.string(),
    negative_prompt: v.string(),
    model_id: v.string(),
    model_name: v.string(),
    style: v.string(),
    seed: v.string(),
    ratio: v.string(),
    nsfw: v.boolean(),
    loras: v.record(v.string(), v.number()),
  }),
});

/** The capability of servers that restore deleted generations. */
export const generationRestore = 'generations.restore';

/**
 * Undoes `deleteGeneration`. A generation that was deleted too long ago is not found; one whose place
 * others have taken is refused with `too_many_pictures` or `storage_quota`.
 */
export const restoreGeneration = endpoint({
  method: 'POST',
  path: '/generations/:id/restore',
  input: generationId,
  output: noAnswer,
  status: 204,
});

export const readModelInfo = endpoint({
  method: 'GET',
  path: '/generations/model-info/:model_id',
  input: v.object({ model_id: modelId }),
  output: v.looseObject({
    name: v.pipe(v.string(), v.trim(), v.nonEmpty()),
    type: v.optional(v.nullable(v.string())),
    trigger_words: v.optional(v.nullable(v.array(v.string()))),
    cover_url: v.optional(v.nullable(v.string())),
    /** Whether the cover is for adults only. */
    is_nsfw: v.optional(v.nullable(v.boolean())),
  }),
});

const updated = v.looseObject({ status: v.string(), updated: v.optional(v.number()) });

const maxModels = 200;

/** Sends the server names of models that it may not know. */
export const updateModelCache = endpoint({
  method: 'POST',
  path: '/generations/update-model-cache',
  input: v.object({
    models: v.pipe(
      v.array(v.object({ modelId, name: modelName })),
      v.maxLength(maxModels, pictureFieldTexts.tooManyModels(maxModels)),
    ),
  }),
  output: updated,
});

/** Sets the model's name of a saved picture. */
export const updateGeneration = endpoint({
  method: 'POST',
  path: '/generations/up-gen',
  input: v.object({
    id: idText,
    model_name: v.pipe(modelName, v.nonEmpty()),
  }),
  output: updated,
});
