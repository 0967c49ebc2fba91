/** Imagine Art: making a picture in a style, and the user's history. */
import * as v from 'valibot';

import { imagineStyles } from '../images/imagine-styles.ts';
import { maxPromptLength } from '../images/limits.ts';
import { ratioNames } from '../images/ratios.ts';
import { endpoint, telegramId } from './endpoint.ts';
import { jobKey } from './images.ts';
import { pictureFieldTexts } from './picture-texts.ts';

const missing = pictureFieldTexts.styleMissing;

/** A seed as a number or as digits; the server maps it to the service's range. Empty when the service chooses. */
const seed = v.optional(
  v.pipe(
    v.nullable(v.union([v.string(), v.number()], pictureFieldTexts.seedMalformed)),
    v.transform((given) => String(given ?? '').trim()),
    v.regex(/^\d{0,19}$/, pictureFieldTexts.seedMalformed),
  ),
  '',
);

/** A field that is absent when it cannot be read. */
function readable<Schema extends v.GenericSchema>(schema: Schema) {
  return v.fallback(v.optional(schema), undefined);
}

/**
 * Makes a picture and, for a logged-in user, saves it. The same key returns the same picture. A
 * visitor's files are kept for an hour, although the links are valid for longer.
 */
export const saveImagine = endpoint({
  method: 'POST',
  path: '/pixai/api/v1/api/imagine-art/save',
  input: v.object({
    prompt: v.pipe(
      v.string(missing),
      v.trim(),
      v.nonEmpty(missing),
      v.maxLength(maxPromptLength, pictureFieldTexts.promptTooLong(maxPromptLength)),
    ),
    style: v.picklist(imagineStyles, missing),
    aspect_ratio: v.picklist(ratioNames, missing),
    seed,
    job_key: v.optional(jobKey),
  }),
  /** Other fields: width, height, is_saved (whether it is saved in the account). A field that cannot be read is left out. */
  output: v.looseObject({
    id: readable(v.pipe(v.union([v.string(), v.number()]), v.transform(String))),
    image_url: v.string(),
    thumbnail_url: readable(v.string()),
    prompt: readable(v.pipe(v.string(), v.nonEmpty())),
    model_id: readable(v.pipe(v.union([v.string(), v.number()]), v.transform(String))),
    model_name: readable(v.string()),
    seed: readable(v.union([v.string(), v.number()])),
    ratio: readable(v.pipe(v.string(), v.picklist(ratioNames))),
    nsfw: readable(v.boolean()),
    created_at: readable(v.union([v.string(), v.number()])),
    tags: readable(v.array(v.string())),
    /** The engine that made it, such as `sketch` or `imagine`. */
    engine: v.optional(v.string()),
  }),
});

/** The user's pictures by Imagine Art, newest first: `_id, prompt, style, s3_url, created_at, aspect_ratio, seed`. */
export const listImagineHistory = endpoint({
  method: 'GET',
  path: '/pixai/api/v1/api/history/imagine/urls',
  input: v.object({ user_id: telegramId }),
  output: v.looseObject({ history: v.array(v.unknown()) }),
});
