/** Requests pictures from the server, and recovers those whose answer was lost. */
import { generationJobs, readJob } from '#contract/endpoints/images';
import { readHealth } from '#contract/endpoints/site';
import { ApiError, call } from '#lib/api';
import { fetchCapabilities } from '#lib/capabilities';

import { type MadePictures, type ProviderAdapter } from './provider-adapter.ts';
import { type Recipe } from './recipe.ts';
import { pictureTexts } from './texts.ts';

/** Between two tries to reach the server; each pause is twice as long as the one before. */
const pauses = { firstMs: 1000, maxMs: 15_000 } as const;
/** Short, as the user sees the form and can press the button again. */
const giveUpOnPageMs = 60_000;
const giveUpAfterReloadMs = 10 * 60_000;
/** How long the server may be silent before the user is told. */
const sayAfterMs = 3000;
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

/** Waiting for a server that does not answer. */
export type Waiting = {
  /** Aborted when the user stops waiting. */
  readonly signal: AbortSignal;
  /** Tells the user that the server does not answer, and when it does again. */
  readonly onChange: (isUnanswered: boolean) => void;
};

/** What to make, and the provider that makes it. */
export type GenerationRequest = {
  readonly adapter: ProviderAdapter;
  readonly recipe: Recipe;
  /** The key by which the server knows an earlier request for the same pictures. */
  readonly jobKey?: string | undefined;
  /** Stores the key of a new job before it is sent. */
  readonly storeKey: (jobKey: string) => void;
  readonly waiting: Waiting;
};

const keyBytes = 24;

/** 192 random bits in characters that URLs and headers allow. Works on pages without HTTPS, too. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes));
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

/**
 * Whether the server makes pictures as jobs: only then it gets a key, and is asked for results by it.
 * Rejects with an `ApiError` while the server cannot be reached.
 */
export async function hasJobs(): Promise<boolean> {
  try {
    return await announcesJobs();
  } catch (error) {
    if (!isTemporary(error)) {
      return false;
    }
    // Browsers hide the refusal of an address that another backend does not know from pages of other
    // origins. This address they all know.
    await call(readHealth, {});
    return announcesJobs().catch(() => false);
  }
}

async function announcesJobs(): Promise<boolean> {
  return (await fetchCapabilities()).capabilities.includes(generationJobs);
}

/**
 * Makes pictures. When the answer is lost, asks a server with jobs by the key for the result, so that
 * nothing is made, or paid for, twice. Throws `GenerationFailure`.
 */
export async function makePictures(request: GenerationRequest): Promise<MadePictures> {
  const { adapter, recipe, storeKey } = request;
  let jobKey: string | undefined;
  try {
    const isJob = await repeatUntilAnswered(hasJobs, {
      ...request,
      giveUpAfterMs: giveUpOnPageMs,
      describe: adapter.describeFailure,
    });
    if (isJob) {
      jobKey = randomKey();
      storeKey(jobKey);
    }
    return await adapter.requestPictures(recipe, jobKey);
  } catch (error) {
    if (jobKey !== undefined && isLostAnswer(error)) {
      return recoverPictures(
        { ...request, jobKey },
        { lost: adapter.describeFailure(error), giveUpAfterMs: giveUpOnPageMs },
      );
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
  lost: string,
): Promise<MadePictures> {
  try {
    return await recoverPictures(request, { lost, giveUpAfterMs: giveUpOnPageMs });
  } catch (error) {
    if (error instanceof GenerationFailure && error.isUndecided) {
      throw error;
    }
    return makePictures(request);
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
  const { jobKey } = request;
  if (jobKey === undefined) {
    throw new GenerationFailure(lost);
  }
  try {
    return await repeatUntilAnswered(
      async (onAnswer) => {
        if (!(await hasJobs())) {
          throw new GenerationFailure(lost);
        }
        return readOrJoinJob({ ...request, jobKey }, onAnswer);
      },
      { ...request, giveUpAfterMs, describe: () => lost },
    );
  } catch (error) {
    throw isUnknownJob(error) ? new GenerationFailure(lost) : toFailure(request.adapter, error);
  }
}

/** A request with the key of a running job waits for it; with the key of a finished one it returns the result. */
async function readOrJoinJob(
  { adapter, recipe, jobKey }: GenerationRequest & { readonly jobKey: string },
  onRunning: () => void,
): Promise<MadePictures> {
  const { state, detail, message } = await call(readJob, { job_key: jobKey });
  if (state === 'failed' || state === 'cancelled') {
    throw new GenerationFailure(message ?? detail ?? pictureTexts.interrupted);
  }
  if (state !== 'done') {
    onRunning();
  }
  return adapter.requestPictures(recipe, jobKey);
}

type Repetition = Pick<GenerationRequest, 'waiting'> & {
  readonly giveUpAfterMs: number;
  /** The sentence for the case that the server stays out of reach, by the last error. */
  readonly describe: (error: unknown) => string;
};

/**
 * Repeats an attempt while the server cannot be reached. The attempt may report that the server has
 * answered: then the time until giving up starts again. Other failures are thrown as they are.
 */
async function repeatUntilAnswered<T>(
  attempt: (onAnswer: () => void) => Promise<T>,
  { giveUpAfterMs, describe, waiting: { signal, onChange } }: Repetition,
): Promise<T> {
  let giveUpAt = Date.now() + giveUpAfterMs;
  let notice: ReturnType<typeof setTimeout> | undefined;
  const endNotice = () => {
    clearTimeout(notice);
    notice = undefined;
    onChange(false);
  };
  const onAnswer = () => {
    endNotice();
    giveUpAt = Date.now() + giveUpAfterMs;
  };
  const stop = new ApiError({ status: 0, code: 'no_response', message: pictureTexts.silent });
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(stop), { once: true });
  });
  let failure = stop;
  const tryOnce = async () => {
    notice ??= setTimeout(onChange, sayAfterMs, true);
    try {
      return { value: await Promise.race([attempt(onAnswer), stopped]) };
    } catch (error) {
      if (!isTemporary(error)) {
        throw error;
      }
      failure = error === stop ? failure : error;
      return undefined;
    }
  };
  let pauseMs: number = pauses.firstMs;
  try {
    do {
      const outcome = await tryOnce();
      if (outcome) {
        return outcome.value;
      }
      await Promise.race([pause(pauseMs), stopped]).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, pauses.maxMs);
    } while (!signal.aborted && Date.now() <= giveUpAt);
    throw new GenerationFailure(describe(failure), { isUndecided: true });
  } finally {
    endNotice();
  }
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
function isTemporary(error: unknown): error is ApiError {
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
