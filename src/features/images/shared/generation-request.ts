/** Requests pictures from the server, and recovers those whose answer was lost. */
import { readJob } from '#contract/endpoints/images';
import { ApiError, call } from '#lib/api';

import { type MadePictures, type ProviderAdapter } from './provider-adapter.ts';
import { type Recipe } from './recipe.ts';
import { pictureTexts } from './texts.ts';

/** Between two tries to reach the server; each pause is twice as long as the one before. */
const pauses = { firstMs: 1000, maxMs: 15_000 } as const;
/** Short, as the user sees the form and can press the button again. */
const giveUpOnPageMs = 60_000;
const giveUpAfterReloadMs = 10 * 60_000;
/** Statuses of proxies that cannot reach the server. */
const gatewayStatuses: readonly number[] = [502, 503, 504];

/** A generation that failed; the message is the sentence that the user reads. */
export class GenerationFailure extends Error {
  override readonly name = 'GenerationFailure';
  /** The server stayed out of reach: it may have made the pictures all the same. */
  readonly isUndecided: boolean;

  constructor(message: string, { isUndecided = false } = {}) {
    super(message);
    this.isUndecided = isUndecided;
  }
}

/** What to make, the key by which the server knows it, and the provider that makes it. */
export type GenerationRequest = {
  readonly adapter: ProviderAdapter;
  readonly recipe: Recipe;
  readonly jobKey: string;
};

/**
 * Makes pictures. When the answer is lost, asks the server by the key for the result, so that nothing is
 * made, or paid for, twice. Throws `GenerationFailure`.
 */
export async function makePictures(request: GenerationRequest): Promise<MadePictures> {
  const { adapter, recipe, jobKey } = request;
  try {
    return await adapter.requestPictures(recipe, jobKey);
  } catch (error) {
    if (isLostAnswer(error)) {
      return recoverPictures(request, {
        lost: adapter.describeFailure(error),
        giveUpAfterMs: giveUpOnPageMs,
      });
    }
    throw toFailure(adapter, error);
  }
}

/**
 * Recovers the pictures of an undecided generation. When the server knows nothing of them, makes them
 * with a new key. `lost` is the sentence for the case that the server stays out of reach again.
 */
export async function recoverOrMakePictures(
  request: GenerationRequest,
  { lost, renewKey }: { readonly lost: string; readonly renewKey: () => string },
): Promise<MadePictures> {
  try {
    return await recoverPictures(request, { lost, giveUpAfterMs: giveUpOnPageMs });
  } catch (error) {
    if (error instanceof GenerationFailure && error.isUndecided) {
      throw error;
    }
    return makePictures({ ...request, jobKey: renewKey() });
  }
}

/**
 * Gets pictures that were requested by an earlier page or over a connection that broke. `lost` is the
 * sentence for the case that the server knows nothing of them. `giveUpAfterMs` is how long the server may
 * be out of reach. Throws `GenerationFailure`.
 */
export async function recoverPictures(
  request: GenerationRequest,
  {
    lost = pictureTexts.interrupted,
    giveUpAfterMs = giveUpAfterReloadMs,
  }: { readonly lost?: string; readonly giveUpAfterMs?: number } = {},
): Promise<MadePictures> {
  let giveUpAt = Date.now() + giveUpAfterMs;
  const extend = () => {
    giveUpAt = Date.now() + giveUpAfterMs;
  };
  let pauseMs: number = pauses.firstMs;
  for (;;) {
    try {
      return await readOrJoinJob(request, extend);
    } catch (error) {
      if (!isTemporary(error)) {
        throw isUnknownJob(error) ? new GenerationFailure(lost) : toFailure(request.adapter, error);
      }
      if (Date.now() > giveUpAt) {
        throw new GenerationFailure(lost, { isUndecided: true });
      }
    }
    await pause(pauseMs);
    pauseMs = Math.min(pauseMs * 2, pauses.maxMs);
  }
}

/** A request with the key of a running job waits for it; with the key of a finished one it returns the result. */
async function readOrJoinJob(
  { adapter, recipe, jobKey }: GenerationRequest,
  onRunning: () => void,
): Promise<MadePictures> {
  const { state, detail } = await call(readJob, { job_key: jobKey });
  if (state === 'failed' || state === 'cancelled') {
    throw new GenerationFailure(detail ?? pictureTexts.interrupted);
  }
  if (state !== 'done') {
    onRunning();
  }
  return adapter.requestPictures(recipe, jobKey);
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms);
  });
}

/** The connection broke, a proxy stopped waiting, or the server is being replaced by another one. */
function isLostAnswer(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (['no_response', 'generation_interrupted'].includes(error.code) ||
      // With a code of its own, the refusal is the server's and not the proxy's.
      gatewayStatuses.some((status) => error.code === `http_${status}`))
  );
}

/** The server is probably being restarted. */
function isTemporary(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (gatewayStatuses.includes(error.status) || error.code === 'no_response')
  );
}

/** The server does not know the job, or has no jobs at all. */
function isUnknownJob(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    ([401, 403, 404, 405].includes(error.status) || error.code === 'unreadable')
  );
}

function toFailure({ describeFailure }: ProviderAdapter, error: unknown): GenerationFailure {
  return error instanceof GenerationFailure ? error : new GenerationFailure(describeFailure(error));
}
