/** Asks the server for pictures, and finds out what became of a wish whose answer got lost. */
import { readJob } from '#contract/endpoints/images';
import { ApiError, call } from '#lib/api';

import { pictureTexts } from './picture-texts.ts';
import { type Made, type ProviderAdapter } from './provider-adapter.ts';
import { type Recipe } from './recipe.ts';

/** How often a server that does not answer is asked again. */
const pauses = { firstMs: 1000, longestMs: 15_000 } as const;
/** Somebody is waiting, and can press the button again. */
const patienceWhileShownMs = 60_000;
/** A reload has no hurry. */
const patienceAfterReloadMs = 10 * 60_000;
/** What stands between the page and a server that cannot be reached answers in its place. */
const gatewayStatuses: readonly number[] = [502, 503, 504];

/** The failure of a picture, as the person reads it. */
export class GenerationFailure extends Error {
  override readonly name = 'GenerationFailure';
  /** The server was out of reach to the end: the pictures may be there all the same. */
  readonly isUndecided: boolean;

  constructor(message: string, { isUndecided = false } = {}) {
    super(message);
    this.isUndecided = isUndecided;
  }
}

/** A recipe, the key its wish is known by, and who makes it. */
export type GenerationRequest = {
  readonly adapter: ProviderAdapter;
  readonly recipe: Recipe;
  readonly jobKey: string;
};

/**
 * Makes pictures. When the answer gets lost, the server is asked by the key what became of it, so
 * that nothing is made, or paid for, twice. Throws `GenerationFailure` with the sentence to show.
 */
export async function makePictures(request: GenerationRequest): Promise<Made> {
  const { adapter, recipe, jobKey } = request;
  try {
    return await adapter.ask(recipe, jobKey);
  } catch (error) {
    if (isLostAnswer(error)) {
      return recoverPictures(request, {
        lost: adapter.sayFailure(error),
        patienceMs: patienceWhileShownMs,
      });
    }
    throw toFailure(adapter, error);
  }
}

/**
 * Gets the pictures of a wish that ended undecided, and makes them anew, with a new key, only when
 * nothing has come of it. `lost` is what to say when that cannot be found out this time either.
 */
export async function fetchOrMakePictures(
  request: GenerationRequest,
  { lost, renewKey }: { readonly lost: string; readonly renewKey: () => string },
): Promise<Made> {
  try {
    return await recoverPictures(request, { lost, patienceMs: patienceWhileShownMs });
  } catch (error) {
    if (error instanceof GenerationFailure && error.isUndecided) {
      throw error;
    }
    return makePictures({ ...request, jobKey: renewKey() });
  }
}

/**
 * Gets pictures that an earlier page, or a broken connection, has asked for. `lost` is what to say
 * when the server knows nothing of it, `patienceMs` how long it may be out of reach. Throws
 * `GenerationFailure`.
 */
export async function recoverPictures(
  request: GenerationRequest,
  patience: { readonly lost?: string; readonly patienceMs?: number } = {},
): Promise<Made> {
  const { lost = pictureTexts.interrupted, patienceMs = patienceAfterReloadMs } = patience;
  let giveUpAt = Date.now() + patienceMs;
  const beginAnew = () => {
    giveUpAt = Date.now() + patienceMs;
  };
  let pauseMs: number = pauses.firstMs;
  for (;;) {
    try {
      // One after the other: each try depends on how the one before ended.
      return await askAgain(request, beginAnew);
    } catch (error) {
      if (!isPassing(error)) {
        throw isUnknownJob(error) ? new GenerationFailure(lost) : toFailure(request.adapter, error);
      }
      if (Date.now() > giveUpAt) {
        throw new GenerationFailure(lost, { isUndecided: true });
      }
    }
    await pause(pauseMs);
    pauseMs = Math.min(pauseMs * 2, pauses.longestMs);
  }
}

/** Asking with the same key joins what is under way, which is told, and answers what is done. */
async function askAgain(
  { adapter, recipe, jobKey }: GenerationRequest,
  onUnderWay: () => void,
): Promise<Made> {
  const { state, detail } = await call(readJob, { job_key: jobKey });
  if (state === 'failed' || state === 'cancelled') {
    throw new GenerationFailure(detail ?? pictureTexts.interrupted);
  }
  if (state !== 'done') {
    onUnderWay();
  }
  return adapter.ask(recipe, jobKey);
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms);
  });
}

/**
 * The answer is not what became of the request: the connection broke, something between here and the
 * server gave up waiting, or the server is being stopped and the next one goes on.
 */
function isLostAnswer(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (['no_response', 'generation_interrupted'].includes(error.code) ||
      // A refusal with a code of its own is the server's.
      gatewayStatuses.some((status) => error.code === `http_${status}`))
  );
}

/** A server that is being restarted: worth another try. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (gatewayStatuses.includes(error.status) || error.code === 'no_response')
  );
}

/** A server that knows no such job, or no jobs at all. */
function isUnknownJob(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    ([401, 403, 404, 405].includes(error.status) || error.code === 'unreadable')
  );
}

function toFailure({ sayFailure }: ProviderAdapter, error: unknown): GenerationFailure {
  return error instanceof GenerationFailure ? error : new GenerationFailure(sayFailure(error));
}
