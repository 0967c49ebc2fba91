/** Asks the server for a picture, and finds out what became of one whose answer got lost. */
import { generate, generateWithLoras, readJob } from '#contract/endpoints/images';
import { guidanceScale } from '#contract/images/limits';
import { ApiError, call } from '#lib/api';

import { pictureTexts } from './picture-texts.ts';
import { loraWeights, type Recipe } from './recipe.ts';

export type MadePicture = {
  readonly file: Blob;
  /** The seed that was really used, when the server says. */
  readonly seed: string | undefined;
  readonly engine: string | undefined;
};

/** How often a server that does not answer is asked again. */
const pauses = { firstMs: 1000, longestMs: 15_000 } as const;
/** Somebody is waiting, and can press the button again. */
const patienceWhileShownMs = 60_000;
/** A reload has no hurry. */
const patienceAfterReloadMs = 10 * 60_000;

/** The failure of a picture, as the person reads it. */
export class GenerationFailure extends Error {
  override readonly name = 'GenerationFailure';
}

/** Asks for a picture and waits for it. Throws `ApiError`. */
async function ask(recipe: Recipe, jobKey: string): Promise<MadePicture> {
  const loras = loraWeights(recipe.loras);
  const wish = {
    prompt: recipe.prompt,
    model_id: recipe.modelId,
    negative_prompt: recipe.negativePrompt,
    seed: recipe.seed ?? '',
    nsfw: recipe.nsfw,
    ratio: recipe.ratio,
    scale: guidanceScale,
    is_direct_image: true,
    job_key: jobKey,
  };
  const { blob, headers } =
    Object.keys(loras).length === 0
      ? await call(generate, wish)
      : await call(generateWithLoras, { ...wish, loras });
  return { file: blob, seed: headers['x-nori-seed'], engine: headers['x-nori-engine'] };
}

/**
 * Makes a picture. When the connection breaks, the server is asked by the key what became of it, so
 * that nothing is made, or paid for, twice. Throws `GenerationFailure` with the sentence to show.
 */
export async function makePicture(recipe: Recipe, jobKey: string): Promise<MadePicture> {
  try {
    return await ask(recipe, jobKey);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'no_response') {
      return recoverPicture(recipe, jobKey, {
        lost: pictureTexts.startFailed(error.message),
        patienceMs: patienceWhileShownMs,
      });
    }
    throw failureOf(error);
  }
}

/**
 * Gets a picture that an earlier page, or a broken connection, has asked for. `lost` is what to say
 * when the server knows nothing of it, `patienceMs` how long it may be out of reach. Throws
 * `GenerationFailure`.
 */
export async function recoverPicture(
  recipe: Recipe,
  jobKey: string,
  patience: { readonly lost?: string; readonly patienceMs?: number } = {},
): Promise<MadePicture> {
  const { lost = pictureTexts.interrupted, patienceMs = patienceAfterReloadMs } = patience;
  const giveUpAt = Date.now() + patienceMs;
  let pauseMs: number = pauses.firstMs;
  for (;;) {
    try {
      // One after the other: each try depends on how the one before ended.
      // oxlint-disable-next-line no-await-in-loop
      return await askAgain(recipe, jobKey);
    } catch (error) {
      if (!isPassing(error)) {
        throw isUnknownJob(error) ? new GenerationFailure(lost) : failureOf(error);
      }
      if (Date.now() > giveUpAt) {
        throw new GenerationFailure(lost);
      }
    }
    // oxlint-disable-next-line no-await-in-loop
    await pause(pauseMs);
    pauseMs = Math.min(pauseMs * 2, pauses.longestMs);
  }
}

/** Asking with the same key joins what is under way, and answers what is done. */
async function askAgain(recipe: Recipe, jobKey: string): Promise<MadePicture> {
  const { state, detail } = await call(readJob, { job_key: jobKey });
  if (state === 'failed' || state === 'cancelled') {
    throw new GenerationFailure(detail ?? pictureTexts.interrupted);
  }
  return ask(recipe, jobKey);
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms);
  });
}

/** A server that is being restarted: worth another try. */
function isPassing(error: unknown): boolean {
  const isGateway = error instanceof ApiError && [502, 503, 504].includes(error.status);
  return isGateway || (error instanceof ApiError && error.code === 'no_response');
}

/** A server that knows no such job, or no jobs at all. */
function isUnknownJob(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    ([401, 403, 404, 405].includes(error.status) || error.code === 'unreadable')
  );
}

function failureOf(error: unknown): GenerationFailure {
  if (error instanceof GenerationFailure) {
    return error;
  }
  if (error instanceof ApiError && error.status > 0) {
    const said = pictureTexts.httpError(error.status);
    return new GenerationFailure(error.detail === undefined ? said : `${said}\n${error.detail}`);
  }
  const message = error instanceof Error ? error.message : '';
  return new GenerationFailure(pictureTexts.startFailed(message));
}
