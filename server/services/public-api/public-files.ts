/**
 * Files of the public API that are made when somebody looks at them: the link holds the whole order and is signed,
 * so that nothing is stored and nobody has other things made than those that were answered.
 */
import * as v from 'valibot';

import { speechLanguages } from '#contract/playground/speech';
import { type Dependencies } from '#server/app/dependencies';
import { createSlotLimiter, createKeyedSemaphore } from '#server/lib/concurrency';
import { createDaySignatures } from '#server/lib/day-signatures';
import { AppError } from '#server/lib/errors';
import { publicFileRules } from '#server/lib/limits';
import { createMemoryCache } from '#server/lib/memory-cache';
import { renderSketch } from '#server/upstream/images/sketch/index';
import { speak } from '#server/upstream/public-api/speech/speak';

const order = v.variant('kind', [
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
    voice: v.object({
      pitchHz: v.number(),
      size: v.number(),
      pace: v.number(),
      breath: v.number(),
    }),
  }),
]);
type FileOrder = v.InferOutput<typeof order>;

/** An order as it stands in an address. */
type SignedOrder = {
  readonly order: string;
  readonly expires: string;
  readonly signature: string;
};

type PublicFile = { readonly bytes: Buffer; readonly type: string };

export type PublicFiles = {
  /** Where the file will be, under the origin that the caller knows the server by. Good for one to two days. */
  readonly link: (origin: string, wish: FileOrder) => string;
  /** Throws `link_expired` for what was not answered here, or too long ago, and `busy`. */
  readonly make: (signed: SignedOrder) => Promise<PublicFile>;
};

const dayMs = 24 * 60 * 60_000;
/** Bytes of files that are kept in memory: a few hundred pictures. */
const keptBytes = 24 * 1024 * 1024;

/** `paint` is the renderer; tests hold it up. */
export function createPublicFiles(
  { env, clock }: Pick<Dependencies, 'env' | 'clock'>,
  paint = renderSketch,
): PublicFiles {
  const signatures = createDaySignatures({ secretKey: env.secretKey, clock }, 'nori public files');
  const kept = createMemoryCache<PublicFile>({
    max: keptBytes,
    getSize: ({ bytes }) => bytes.length,
    lifetimeMs: dayMs,
    clock,
  });
  const { atOnce, queue, fullQueueRetryS } = publicFileRules;
  const semaphore = createKeyedSemaphore(atOnce);
  const slots = createSlotLimiter(atOnce + queue);

  /** One after the other: whoever paints a picture of their own stands behind one of these at most. */
  async function inTurn(wish: FileOrder): Promise<PublicFile> {
    const leaveQueue = slots.take(wish.kind);
    if (!leaveQueue) {
      throw new AppError('busy', { retryAfterS: fullQueueRetryS });
    }
    try {
      const leave = await semaphore.acquire(wish.kind);
      return await carryOut(wish).finally(leave);
    } finally {
      leaveQueue();
    }
  }

  async function carryOut(wish: FileOrder): Promise<PublicFile> {
    if (wish.kind === 'speech') {
      return { bytes: await speak(wish), type: 'audio/wav' };
    }
    const { words, seed, width, height } = wish;
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
    link: (origin, wish) => {
      const text = Buffer.from(JSON.stringify(wish)).toString('base64url');
      const query = new URLSearchParams({ order: text, ...signatures.sign(text) }).toString();
      return `${origin}/public-api/files/${wish.kind}?${query}`;
    },

    make: async (signed) => {
      if (!signatures.isValid(signed.order, signed)) {
        throw new AppError('link_expired');
      }
      const parsed = v.parse(order, JSON.parse(Buffer.from(signed.order, 'base64url').toString()));
      return kept.get(signed.order, () => inTurn(parsed));
    },
  };
}
