/** How often each feature of the bot was used; shown on Home. */
import * as v from 'valibot';

import { endpoint, noInput } from './endpoint.ts';

/** What our server counts beside commands, by its name on the wire. The page says it in its own language. */
export type CountedFeature = 'Image generation';

const digits = v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number));
const amount = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A whole number, or an object that wraps one as text, such as `{"$numberLong": "12"}`. */
const count = v.union([
  amount,
  v.pipe(
    v.record(v.string(), v.unknown()),
    v.transform((wrapper) => Object.values(wrapper).find((value) => v.is(digits, value))),
    digits,
  ),
]);

const usageRecord = v.pipe(
  v.object({
    /** The name of a command, or of another feature; of other servers perhaps one that is not ours. */
    _id: v.pipe(v.string(), v.nonEmpty()),
    count,
    today: v.optional(v.nullable(v.fallback(count, 0))),
    /** An example, as the server has no bot and has counted nothing. */
    is_demo: v.optional(v.boolean()),
  }),
  v.transform(({ _id, count: total, today, is_demo }) => ({
    _id,
    count: total,
    today: today ?? 0,
    is_demo: is_demo ?? false,
  })),
);
/** How often one feature was used, in all and today (UTC). */
export type UsageRecord = v.InferOutput<typeof usageRecord>;

/** Records that cannot be read are left out. */
export const readUsage = endpoint({
  base: 'public',
  method: 'GET',
  path: '/telegram_bot/usage',
  input: noInput,
  output: v.pipe(
    v.array(v.unknown()),
    v.transform((records) =>
      records.flatMap((record) => {
        const { success, output } = v.safeParse(usageRecord, record);
        return success ? [output] : [];
      }),
    ),
  ),
});
