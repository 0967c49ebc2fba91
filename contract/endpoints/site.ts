/** Whether the server is up, and its capabilities. */
import * as v from 'valibot';

import { endpoint, noInput } from './endpoint.ts';

export const readHealth = endpoint({
  method: 'GET',
  path: '/health',
  input: noInput,
  output: v.object({ status: v.literal('ok') }),
});

/** What our server can do beyond the specification. Other backends answer 404: they have none of it. */
export const readCapabilities = endpoint({
  method: 'GET',
  path: '/capabilities',
  input: noInput,
  output: v.object({
    capabilities: v.array(v.string()),
    /** The connected bot's @name, without the @. */
    bot_username: v.optional(v.string()),
    /** Its ID: files that another bot has sent are lost for it. */
    bot_id: v.optional(v.number()),
    /** The engine of the pictures, such as `pixai`; `sketch` works without AI. */
    image_engine: v.optional(v.string()),
    /** `offline`, or the name of the language model that rewrites prompts. */
    prompt_engine: v.optional(v.string()),
  }),
});
