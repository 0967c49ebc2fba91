/** What each provider can do on this server: who draws its pictures, and in which shapes. */
import * as v from 'valibot';

import { endpoint, noInput } from './endpoint.ts';

/** The name by which `readCapabilities` announces the call; other backends have none: then everything is possible. */
export const imageAbilities = 'generations.abilities';

export const readImageAbilities = endpoint({
  method: 'GET',
  path: '/generations/abilities',
  input: noInput,
  output: v.object({
    /** By the provider's id; one that makes no pictures is not there. */
    providers: v.record(
      v.string(),
      v.looseObject({
        /** What makes its pictures; `sketch` draws them without AI. */
        engine: v.optional(v.string()),
        /** The only ratios that are possible; absent when all are. */
        ratios: v.optional(v.array(v.string())),
        /** Why the others are not, as the person reads it. */
        ratios_reason: v.optional(v.string()),
        /** How many pictures one wish makes; one when absent. */
        pictures: v.optional(v.number()),
      }),
    ),
  }),
});
