/** Making pictures: requesting one, reading the job's state, and cancelling it. */
import * as v from 'valibot';

import {
  loraWeight,
  maxLoras,
  maxModelIdLength,
  maxPromptLength,
  maxSamplerLength,
  sourceModes,
  sourceStrength,
  stepLimits,
} from '../images/limits.ts';
import { ratioNames } from '../images/ratios.ts';
import { endpoint, fileAnswer, noAnswer } from './endpoint.ts';
import { pictureFieldTexts } from './picture-texts.ts';

const missing = pictureFieldTexts.modelOrPromptMissing;

const promptText = v.pipe(
  v.string(missing),
  v.trim(),
  v.nonEmpty(missing),
  v.maxLength(maxPromptLength, pictureFieldTexts.promptTooLong(maxPromptLength)),
);

/** An engine on the operator's own graphics card identifies models by file names, which may be in any language. */
const modelIdPattern = new RegExp(
  String.raw`^[\p{L}\p{M}\p{N}_.:/()[\]+ -]{1,${maxModelIdLength}}$`,
  'u',
);

/** The ID of a version of a model or LoRA, for generating and for model info. */
export const modelId = v.pipe(
  v.union([v.string(), v.number()], missing),
  v.transform((id) => String(id).trim()),
  v.nonEmpty(missing),
  v.regex(modelIdPattern, pictureFieldTexts.modelIdMalformed),
);

/**
 * Identifies one request of one user. The client makes it of at least 128 random bits, so that no other
 * user can guess it and read the result. Two requests with the same key make one picture.
 */
export const jobKey = v.pipe(
  v.string(),
  v.regex(/^[\w-]{22,64}$/, pictureFieldTexts.jobKeyMalformed),
);

const { min: minStrength, max: maxStrength } = sourceStrength;
const wrongStrength = pictureFieldTexts.strengthMalformed(minStrength, maxStrength);

const pictureId = v.pipe(
  v.string(pictureFieldTexts.unknownPicture),
  v.regex(/^[\w-]{1,100}$/, pictureFieldTexts.unknownPicture),
);

/** The picture that another one is made from: of the user's history, or one that `uploadSource` has taken. */
const source = v.pipe(
  v.object({
    generation_id: v.optional(pictureId),
    source_id: v.optional(pictureId),
    /** One that the engine has: see `readImageAbilities`. */
    mode: v.picklist(sourceModes, pictureFieldTexts.unknownWayToMake),
    /** Not of an enlargement. */
    strength: v.optional(
      v.pipe(
        v.number(wrongStrength),
        v.minValue(minStrength, wrongStrength),
        v.maxValue(maxStrength, wrongStrength),
      ),
    ),
    /** By `uploadSource`: what is white in it is made anew, in the shape of the picture. Of `inpaint` alone. */
    mask_id: v.optional(pictureId),
  }),
  v.check(
    ({ generation_id: saved, source_id: uploaded }) =>
      (saved === undefined) !== (uploaded === undefined),
    pictureFieldTexts.unknownPicture,
  ),
  v.check(
    ({ mode, mask_id: mask }) => (mode === 'inpaint') === (mask !== undefined),
    pictureFieldTexts.maskMissing,
  ),
);

const wrongSteps = pictureFieldTexts.stepsMalformed(stepLimits.min, stepLimits.max);

const recipe = {
  prompt: promptText,
  model_id: modelId,
  negative_prompt: v.optional(v.pipe(v.string(), v.maxLength(maxPromptLength)), ''),
  /** Decimal digits; empty when the provider chooses. */
  seed: v.optional(
    v.pipe(
      v.union([v.string(), v.number()]),
      v.transform((seed) => String(seed).trim()),
      v.regex(/^\d{0,19}$/, pictureFieldTexts.seedMalformed),
    ),
    '',
  ),
  nsfw: v.optional(v.boolean(), false),
  ratio: v.picklist(ratioNames, pictureFieldTexts.unknownRatio),
  scale: v.optional(v.number()),
  /** Absent when the engine decides. Reduced to its range, and left out where it has none. */
  steps: v.optional(
    v.pipe(
      v.number(wrongSteps),
      v.integer(wrongSteps),
      v.minValue(stepLimits.min, wrongSteps),
      v.maxValue(stepLimits.max, wrongSteps),
    ),
  ),
  /** One of the engine's samplers; absent when the engine decides. Left out where it has none. */
  sampler: v.optional(
    v.pipe(
      v.string(pictureFieldTexts.unknownSampler),
      v.trim(),
      v.nonEmpty(pictureFieldTexts.unknownSampler),
      v.maxLength(maxSamplerLength, pictureFieldTexts.unknownSampler),
    ),
  ),
  is_direct_image: v.optional(v.boolean()),
  /** Only a logged-in user has pictures to make others from. */
  source: v.optional(source),
  /** Absent when the client does not read a lost answer later. */
  job_key: v.optional(jobKey),
} as const;

/** LoRA ID → weight from 0 to 2. */
const loras = v.pipe(
  v.record(
    v.pipe(v.string(), v.regex(modelIdPattern, pictureFieldTexts.unknownLora)),
    v.pipe(
      v.number(pictureFieldTexts.loraWeightMalformed),
      v.minValue(loraWeight.min / 100, pictureFieldTexts.loraWeightTooSmall),
      v.maxValue(loraWeight.max / 100, pictureFieldTexts.loraWeightTooLarge),
    ),
  ),
  v.check((map) => Object.keys(map).length <= maxLoras, pictureFieldTexts.tooManyLoras(maxLoras)),
);

/**
 * Returns the picture. Headers: `X-Nori-Seed` and `X-Nori-Engine`; and, when the server has saved it in
 * the user's history, `X-Nori-Generation` (its ID), `X-Nori-Image-Url` and `X-Nori-Thumbnail-Url`.
 */
export const generate = endpoint({
  method: 'POST',
  path: '/pixai/api/v1/generate',
  input: v.object(recipe),
  output: fileAnswer,
});

export const generateWithLoras = endpoint({
  method: 'POST',
  path: '/pixai/api/v1/generate-lora',
  input: v.object({ ...recipe, loras }),
  output: fileAnswer,
});

/** The capability that announces jobs: keys in requests, and the two following calls. */
export const generationJobs = 'generations.jobs';

/** The state of the job with this key; 404 when the user has no such job. */
export const readJob = endpoint({
  method: 'GET',
  path: '/generations/jobs/:job_key',
  input: v.object({ job_key: jobKey }),
  output: v.object({
    state: v.picklist(['queued', 'running', 'done', 'failed', 'cancelled']),
    /** While it waits: 1 for the next one that the provider makes. */
    queue_position: v.optional(v.number()),
    /** Until it is probably done, from how long the engine took for its last pictures. Absent when too few are known. */
    expected_seconds: v.optional(v.number()),
    /** The picture's address, which needs no header; present when done. */
    image_url: v.optional(v.string()),
    /** All addresses, when one request makes several pictures. */
    image_urls: v.optional(v.array(v.string())),
    /** The seed that was used. */
    seed: v.optional(v.string()),
    /** The engine that made it, such as `sketch` or `pixai`. */
    engine: v.optional(v.string()),
    /** Why it failed. */
    detail: v.optional(v.string()),
    /** The same in the caller's language. */
    message: v.optional(v.string()),
  }),
});

/** Stops an unfinished job. The service may continue, if its engine cannot cancel. */
export const cancelJob = endpoint({
  method: 'DELETE',
  path: '/generations/jobs/:job_key',
  input: v.object({ job_key: jobKey }),
  output: noAnswer,
  status: 204,
});
