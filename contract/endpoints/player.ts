/** Videos: a short-lived token for the stream. */
import * as v from 'valibot';

import { chatFieldTexts } from './chat-texts.ts';
import { endpoint } from './endpoint.ts';

/** `stream_url` includes the token, as a `<video>` sends no headers. */
export const readVideoToken = endpoint({
  method: 'GET',
  path: '/jav/:video_id/token',
  input: v.object({
    video_id: v.pipe(
      v.string(),
      v.trim(),
      v.regex(/^[\w-]{1,64}$/, chatFieldTexts.videoIdMalformed),
    ),
  }),
  output: v.object({
    success: v.boolean(),
    token: v.optional(v.string()),
    /** A path on the backend. */
    stream_url: v.optional(v.string()),
  }),
});
