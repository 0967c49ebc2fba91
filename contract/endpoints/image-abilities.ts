/** The abilities of each image provider on this server: its engine and its aspect ratios. */
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
        /** How many pictures one request makes; one when absent. */
        pictures: v.optional(v.number()),
      }),
    ),
  }),
});
