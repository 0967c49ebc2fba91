/** MidJourney: making several pictures for a prompt, the user's history, and downloading a picture. */
import * as v from 'valibot';

import { maxPromptLength } from '../images/limits.ts';
import { endpoint, fileAnswer, noAnswer, noInput } from './endpoint.ts';
import { jobKey } from './images.ts';
import { pictureFieldTexts } from './picture-texts.ts';

const missing = pictureFieldTexts.promptMissing;

/**
 * Makes pictures and, for a logged-in user, saves them. The same key returns the same pictures. A
 * visitor's files are kept for an hour, although the links are valid for longer.
 */
export const generateMidjourney = endpoint({
  method: 'POST',
  path: '/pixai/api/v1/midjourney/generate',
  input: v.object({
    prompt: v.pipe(
      v.string(missing),
      v.trim(),
      v.nonEmpty(missing),
      v.maxLength(maxPromptLength, pictureFieldTexts.promptTooLong(maxPromptLength)),
    ),
    job_key: v.optional(jobKey),
  }),
  /** Other fields: prompt, thumbnail_urls, width, height, is_saved (whether they are saved in the account). */
  output: v.looseObject({
    id: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String))),
    s3_urls: v.pipe(v.array(v.string()), v.nonEmpty()),
    created_at: v.optional(v.nullable(v.union([v.string(), v.number()]))),
    /** The engine that made them, such as `sketch` or `midjourney`. */
    engine: v.optional(v.string()),
  }),
});

/** The user's pictures by MidJourney, newest first: `id, prompt, s3_urls, created_at`. */
export const listMidjourneyHistory = endpoint({
  method: 'GET',
  path: '/pixai/api/v1/midjourney/history',
  input: noInput,
  output: v.looseObject({ generations: v.array(v.unknown()) }),
});

/** The capability of servers that delete generations by MidJourney. */
export const midjourneyDeletion = 'midjourney.delete';

/** Deletes a generation with all of its pictures, for good. */
export const deleteMidjourney = endpoint({
  method: 'DELETE',
  path: '/pixai/api/v1/midjourney/:id',
  input: v.object({
    id: v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/, pictureFieldTexts.unknownPicture)),
  }),
  output: noAnswer,
  status: 204,
});

/** Returns a picture as a file: one of the server's own, or one of a host that the operator allows. */
export const downloadMidjourney = endpoint({
  method: 'GET',
  path: '/pixai/api/v1/midjourney/download',
  input: v.object({
    url: v.pipe(v.string(), v.nonEmpty(pictureFieldTexts.pictureUnnamed)),
    /** Without what the file says of how its picture was made. */
    recipe: v.optional(v.literal('none')),
  }),
  output: fileAnswer,
});
