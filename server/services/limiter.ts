/** Counts calls against the limits of `#server/lib/limits`, in the database. */
import { type Database } from '#server/db/client';
import { createRateBucketRepository } from '#server/db/counters';
import { AppError } from '#server/lib/errors';
import { formatDuration, type Limit } from '#server/lib/limits';

export type Limiter = {
  /** Counts one call. Throws `rate_limited` with the time to wait when the window is full. */
  readonly take: (limit: Limit, key: string | number) => Promise<void>;
  /** Like `take`, but returns whether there was room instead of throwing. */
  readonly tryTake: (limit: Limit, key: string | number) => Promise<boolean>;
  /** Throws like `take` when the window is full, but does not count. Not for limits per address. */
  readonly throwIfFull: (limit: Limit, key: string | number) => Promise<void>;
  /** Uncounts one call that turned out not to be what the limit is for. */
  readonly giveBack: (limit: Limit, key: string | number) => Promise<void>;
};

/** `factor` multiplies the limits per address. */
export function createLimiter({ db }: Database, clock: () => number, factor: number): Limiter {
  const buckets = createRateBucketRepository(db);

  async function hit({ name, windowMs, max }: Limit, key: string | number) {
    const now = clock();
    const { hits, endsAt } = await buckets.hit(`${name}:${key}`, { now, windowMs });
    const allowed = name.startsWith('address-') ? max * factor : max;
    return { isAllowed: hits <= allowed, waitMs: endsAt - now };
  }

  return {
    take: async (limit, key) => {
      const { isAllowed, waitMs } = await hit(limit, key);
      if (!isAllowed) {
        refuse(limit, waitMs);
      }
    },
    tryTake: async (limit, key) => (await hit(limit, key)).isAllowed,
    throwIfFull: async (limit, key) => {
      const { name, windowMs, max } = limit;
      const now = clock();
      const bucket = await buckets.read(`${name}:${key}`, { now, windowMs });
      if (bucket && bucket.hits >= max) {
        refuse(limit, bucket.endsAt - now);
      }
    },
    giveBack: ({ name }, key) => buckets.decrement(`${name}:${key}`),
  };
}

function refuse(limit: Limit, waitMs: number): never {
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000));
  throw new AppError('rate_limited', {
    detail: limit.detail(formatDuration(retryAfterS)),
    retryAfterS,
  });
}
