/**
 * Files of the public API, made when their link is opened. The link contains the whole order and is
 * signed, so that nothing is stored and only orders from answers are carried out.
 */
import * as v from 'valibot';

import { speechLanguages } from '#contract/playground/speech';
import { type Dependencies } from '#server/app/dependencies';
import { createSlotLimiter, createKeyedSemaphore } from '#server/lib/concurrency';
import { createDaySignatures } from '#server/lib/day-signatures';
import { deriveKeys } from '#server/lib/derived-keys';
import { AppError } from '#server/lib/errors';
import { publicFileRules } from '#server/lib/limits';
import { createMemoryCache } from '#server/lib/memory-cache';
import { renderSketch } from '#server/upstream/images/sketch/index';

import { type Speech } from './speech.ts';

const fileOrder = v.variant('kind', [
  v.object({
    kind: v.literal('picture'),
    words: v.string(),
    seed: v.string(),
    /** Pixels. */
    width: v.number(),
    height: v.number(),
  }),
  v.object({
    kind: v.literal('speech'),
    text: v.string(),
    language: v.picklist(speechLanguages),
    character: v.string(),
  }),
]);
type FileOrder = v.InferOutput<typeof fileOrder>;

/** The query of a link. */
type SignedOrder = {
  readonly order: string;
  readonly expires: string;
  readonly signature: string;
};

type PublicFile = { readonly bytes: Buffer; readonly type: string };

type Tools = {
  readonly speech: Pick<Speech, 'speak'>;
  /** Tests replace it. */
  readonly paint?: typeof renderSketch;
};

export type PublicFiles = {
  /** Returns a link under the origin of the request, valid for one to two days. */
  readonly link: (origin: string, order: FileOrder) => string;
  /** Throws `link_expired` for a wrong or old signature, `busy`, and what a speech engine throws. */
  readonly make: (signed: SignedOrder) => Promise<PublicFile>;
};

const dayMs = 24 * 60 * 60_000;
/** Bytes of files in memory: a few hundred pictures. */
const maxCachedBytes = 24 * 1024 * 1024;

export function createPublicFiles(
  { env, clock }: Pick<Dependencies, 'env' | 'clock'>,
  { speech, paint = renderSketch }: Tools,
): PublicFiles {
  const signatures = createDaySignatures(deriveKeys(env.secretKeys, 'nori public files'), clock);
  const cache = createMemoryCache<PublicFile>({
    max: maxCachedBytes,
    getSize: ({ bytes }) => bytes.length,
    lifetimeMs: dayMs,
    clock,
  });
  const { atOnce, queue, fullQueueRetryS } = publicFileRules;
  const semaphore = createKeyedSemaphore(atOnce);
  const slots = createSlotLimiter(atOnce + queue);

  /** Public pictures are painted one at a time, so that users' own pictures do not wait for them. */
  async function makeWhenFree(order: FileOrder): Promise<PublicFile> {
    const leaveQueue = slots.take(order.kind);
    if (!leaveQueue) {
      throw new AppError('busy', { retryAfterS: fullQueueRetryS });
    }
    try {
      const leave = await semaphore.acquire(order.kind);
      return await carryOut(order).finally(leave);
    } finally {
      leaveQueue();
    }
  }

  async function carryOut(order: FileOrder): Promise<PublicFile> {
    if (order.kind === 'speech') {
      return speech.speak(order);
    }
    const { words, seed, width, height } = order;
    const bytes = await paint({
      prompt: words,
      seed,
      variant: 'nori public api',
      width,
      height,
      format: 'webp',
    });
    return { bytes, type: 'image/webp' };
  }

  return {
    link: (origin, order) => {
      const text = Buffer.from(JSON.stringify(order)).toString('base64url');
      const query = new URLSearchParams({ order: text, ...signatures.sign(text) }).toString();
      return `${origin}/public-api/files/${order.kind}?${query}`;
    },

    make: async (signed) => {
      if (!signatures.isValid(signed.order, signed)) {
        throw new AppError('link_expired');
      }
      const text = Buffer.from(signed.order, 'base64url').toString();
      const parsed = v.safeParse(fileOrder, JSON.parse(text));
      if (!parsed.success) {
        // A link of an earlier version.
        throw new AppError('link_expired');
      }
      const { output } = parsed;
      return cache.get(signed.order, () => makeWhenFree(output));
    },
  };
}
