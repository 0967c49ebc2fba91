/** Counts calls against the limits of `#server/lib/limits`, in the database. */
import { type Database } from '#server/db/client';
import { createRateBucketRepository } from '#server/db/counters';
import { AppError } from '#server/lib/errors';
import { limitTexts } from '#server/lib/limit-texts';
import { type Limit, sayDuration } from '#server/lib/limits';

export type Limiter = {
  /** Counts one call. Throws `rate_limited` with the time to wait when the window is full. */
  readonly take: (limit: Limit, key: string | number) => Promise<void>;
  /** Like `take`, but returns whether there was room instead of throwing. `amount` is 1 when absent. */
  readonly tryTake: (limit: Limit, key: string | number, amount?: number) => Promise<boolean>;
  /** Throws like `take` when the window is full, but does not count. */
  readonly throwIfFull: (limit: Limit, key: string | number) => Promise<void>;
  /** Uncounts one call that turned out not to be what the limit is for. */
  readonly giveBack: (limit: Limit, key: string | number) => Promise<void>;
};

/** `factor` multiplies the limits per address. */
export function createLimiter({ db }: Database, clock: () => number, factor: number): Limiter {
  const buckets = createRateBucketRepository(db);

  const getMax = ({ name, max }: Limit) => (name.startsWith('address-') ? max * factor : max);

  async function hit(limit: Limit, key: string | number, amount = 1) {
    const { name, windowMs } = limit;
    const now = clock();
    const { hits, endsAt } = await buckets.hit(`${name}:${key}`, { now, windowMs, amount });
    return { isAllowed: hits <= getMax(limit), waitMs: endsAt - now };
  }

  return {
    take: async (limit, key) => {
      const { isAllowed, waitMs } = await hit(limit, key);
      if (!isAllowed) {
        refuse(limit, waitMs);
      }
    },
    tryTake: async (limit, key, amount) => (await hit(limit, key, amount)).isAllowed,
    throwIfFull: async (limit, key) => {
      const { name, windowMs } = limit;
      const now = clock();
      const bucket = await buckets.read(`${name}:${key}`, { now, windowMs });
      if (bucket && bucket.hits >= getMax(limit)) {
        refuse(limit, bucket.endsAt - now);
      }
    },
    giveBack: ({ name }, key) => buckets.decrement(`${name}:${key}`),
  };
}

function refuse(limit: Limit, waitMs: number): never {
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000));
  throw new AppError('rate_limited', {
    detail: (say) => say(limitTexts)[limit.text](sayDuration(retryAfterS, say)),
    retryAfterS,
  });
}
