/** Counts calls against the limits of `#server/lib/limits`, in the database. */
import { type Dependencies } from '#server/app/dependencies';
import { createRateBucketRepository } from '#server/db/counters';
import { createSigner } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { limitTexts } from '#server/lib/limit-texts';
import { type Limit, sayDuration } from '#server/lib/limits';
import { metrics } from '#server/lib/telemetry';

/** What a call counts against; `key` names the bucket of the limit. */
export type Count = { readonly limit: Limit; readonly key: string | number };

type LetGo = () => Promise<void>;

export type Limiter = {
  /** Counts one call against several limits in one statement. Throws like `take` when one is full; all are counted. */
  readonly takeAll: (counts: readonly Count[]) => Promise<void>;
  /** Uncounts in one statement what `takeAll` has counted. */
  readonly giveBackAll: (counts: readonly Count[]) => Promise<void>;
  /** Counts one call. Throws `rate_limited` with the time to wait when the window is full. */
  readonly take: (limit: Limit, key: string | number) => Promise<void>;
  /** Like `take`, but returns whether there was room instead of throwing. `amount` is 1 when absent. */
  readonly tryTake: (limit: Limit, key: string | number, amount?: number) => Promise<boolean>;
  /** Throws like `take` when the window is full, but does not count. */
  readonly throwIfFull: (limit: Limit, key: string | number) => Promise<void>;
  /** Whether there was no other holder, of any process. To be given up again; after the window it is over by itself. */
  readonly tryHold: (limit: Limit, key: string | number) => Promise<LetGo | undefined>;
  /** Uncounts one call that turned out not to be what the limit is for. */
  readonly giveBack: (limit: Limit, key: string | number) => Promise<void>;
};

/** Buckets are named by keyed hashes: they outlive a deleted account, and hold neither its ID nor an address. */
export function createLimiter({
  database: { db },
  clock,
  env: { addressLimitFactor: factor },
  keptKeys,
}: Pick<Dependencies, 'database' | 'clock' | 'env' | 'keptKeys'>): Limiter {
  const buckets = createRateBucketRepository(db);
  // Kept, so that a new key of the server gives no one new tries.
  const signer = createSigner(keptKeys.limits);
  const toBucket = (name: string, key: string | number) =>
    `${name}:${signer.sign(`${name}:${key}`).toString('base64url')}`;

  const getMax = ({ name, max }: Limit) => (name.startsWith('address-') ? max * factor : max);

  async function hit(limit: Limit, key: string | number, amount = 1) {
    const { name, windowMs } = limit;
    const now = clock();
    const { hits, endsAt } = await buckets.hit(toBucket(name, key), { now, windowMs, amount });
    return { isAllowed: hits <= getMax(limit), waitMs: endsAt - now };
  }

  const toKey = ({ limit, key }: Count) => toBucket(limit.name, key);

  return {
    takeAll: async (counts) => {
      const now = clock();
      const events = counts.map((count) => ({ key: toKey(count), windowMs: count.limit.windowMs }));
      const found = await buckets.hitAll(events, now);
      for (const count of counts) {
        const { hits = 0, endsAt = now } = found.get(toKey(count)) ?? {};
        if (hits > getMax(count.limit)) {
          refuse(count.limit, endsAt - now);
        }
      }
    },
    giveBackAll: (counts) => buckets.decrement(...counts.map(toKey)),
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
      const bucket = await buckets.read(toBucket(name, key), { now, windowMs });
      if (bucket && bucket.hits >= getMax(limit)) {
        refuse(limit, bucket.endsAt - now);
      }
    },
    tryHold: async ({ name, windowMs }, key) => {
      const bucket = toBucket(name, key);
      const now = clock();
      return (await buckets.hold(bucket, { now, windowMs }))
        ? () => buckets.letGo(bucket, now)
        : undefined;
    },
    giveBack: ({ name }, key) => buckets.decrement(toBucket(name, key)),
  };
}

function refuse(limit: Limit, waitMs: number): never {
  metrics.count('limitRefusals', { limit: limit.name });
  if (limit.refusal !== undefined) {
    throw new AppError(limit.refusal);
  }
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000));
  throw new AppError('rate_limited', {
    detail: (say) => say(limitTexts)[limit.text](sayDuration(retryAfterS, say)),
    retryAfterS,
  });
}
