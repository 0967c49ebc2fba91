/** The abilities of each image provider on this server: its engine, its aspect ratios and its limits. */
import * as v from 'valibot';

import { endpoint, noInput } from './endpoint.ts';

/** The capability that announces this endpoint. Without it, everything is possible. */
export const imageAbilities = 'generations.abilities';

export const readImageAbilities = endpoint({
  method: 'GET',
  path: '/generations/abilities',
  input: noInput,
  output: v.object({
    /** Provider ID → abilities. Providers that make no pictures are left out. */
    providers: v.record(
      v.string(),
      v.looseObject({
        /** The engine of its pictures; `sketch` works without AI. */
        engine: v.optional(v.string()),
        /** The only ratios that are possible; absent when all are. */
        ratios: v.optional(v.array(v.string())),
        /** Why the others are not possible, as a sentence for the user. */
        ratios_reason: v.optional(v.string()),
        /** The same in the caller's language. */
        ratios_reason_translated: v.optional(v.string()),
        /** How many pictures one request makes; one when absent. */
        pictures: v.optional(v.number()),
        /** Characters of a prompt, and of a negative prompt. Without this and the following, no limit is known. */
        max_prompt_length: v.optional(v.number()),
        /** Characters of a model's ID. */
        max_model_id_length: v.optional(v.number()),
        /** How many LoRAs one picture may have. */
        max_loras: v.optional(v.number()),
        /** A LoRA's weight as it is sent: 1 is 100 %. The server reduces a larger one. */
        lora_weight: v.optional(v.object({ min: v.number(), max: v.number() })),
        /** How many steps a picture may take, both ends included, and how many it takes by default; absent where users cannot choose. */
        steps: v.optional(v.object({ min: v.number(), max: v.number(), default: v.number() })),
        /** The names of the samplers to choose from; absent where users cannot. */
        samplers: v.optional(v.array(v.string())),
        /** What can be made from a picture of the user, such as `variation`; absent where nothing can. */
        modes: v.optional(v.array(v.string())),
        /** Seeds as digits, both ends included, where a request has one. The server reduces a larger one to this range. */
        seed: v.optional(v.object({ min: v.string(), max: v.string() })),
      }),
    ),
  }),
});
