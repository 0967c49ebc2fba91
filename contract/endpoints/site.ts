/** The site itself: whether the server is up, and what it can do beyond the specification. */
import * as v from 'valibot';

import { endpoint, noInput } from './endpoint.ts';

export const readHealth = endpoint({
  method: 'GET',
  path: '/health',
  input: noInput,
  output: v.object({ status: v.literal('ok') }),
});

/** What our server adds; a plain backend answers 404, which means none. */
export const readCapabilities = endpoint({
  method: 'GET',
  path: '/capabilities',
  input: noInput,
  output: v.object({
    capabilities: v.array(v.string()),
    /** The connected bot's @name, without the @. */
    bot_username: v.optional(v.string()),
    /** What makes the pictures, such as `pixai`; `sketch` makes them without AI. */
    image_engine: v.optional(v.string()),
    /** What rewrites prompts: `offline`, or the name of a language model. */
    prompt_engine: v.optional(v.string()),
  }),
});
