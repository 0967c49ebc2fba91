/** MidJourney: several pictures for each prompt, what a person has made there, and getting one as a file. */
import * as v from 'valibot';

import { maxPromptLength } from '../images/limits.ts';
import { endpoint, fileAnswer, noInput } from './endpoint.ts';
import { jobKey } from './images.ts';

const missing = 'Please enter a prompt';

/**
 * Makes pictures and, for a member, saves them. Asking again with the same key answers the same
 * pictures. Links of a guest end within two days; the bytes are kept for one.
 */
export const generateMidjourney = endpoint({
  method: 'POST',
  path: '/pixai/api/v1/midjourney/generate',
  input: v.object({
    prompt: v.pipe(
      v.string(missing),
      v.trim(),
      v.nonEmpty(missing),
      v.maxLength(maxPromptLength, `A prompt has at most ${maxPromptLength} characters`),
    ),
    job_key: v.optional(jobKey),
  }),
  /** Beside these: prompt, thumbnail_urls, width, height, is_saved (whether they are in the account). */
  output: v.looseObject({
    id: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String))),
    s3_urls: v.pipe(v.array(v.string()), v.nonEmpty()),
    created_at: v.optional(v.nullable(v.union([v.string(), v.number()]))),
    /** What made them, such as `sketch` or `midjourney`. */
    engine: v.optional(v.string()),
  }),
});

/** What a member has made there, newest first: `id, prompt, s3_urls, created_at`. */
export const listMidjourneyHistory = endpoint({
  method: 'GET',
  path: '/pixai/api/v1/midjourney/history',
  input: noInput,
  output: v.looseObject({ generations: v.array(v.unknown()) }),
});

/** A picture as a file to save: one of the server's own, or of a host that it is told to trust. */
export const downloadMidjourney = endpoint({
  method: 'GET',
  path: '/pixai/api/v1/midjourney/download',
  input: v.object({ url: v.pipe(v.string(), v.nonEmpty('Please name a picture')) }),
  output: fileAnswer,
});
