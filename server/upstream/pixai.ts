/** PixAI as an engine: a task is submitted once, looked after until it is done, and its picture fetched at once. */
import { setTimeout as pause } from 'node:timers/promises';

import { AppError } from '#server/lib/errors';

import { type ImageEngine } from './image-engine.ts';
import { asImageError, isPassing } from './image-errors.ts';
import { createPixaiApi } from './pixai-api.ts';

const secondMs = 1000;
/** The service asks not to be polled faster than the first pause; the next ones grow from it. */
const polling = { firstMs: 1500, growth: 1.3, longestMs: 6 * secondMs };
const afterFailure = { firstMs: 1500, growth: 2, longestMs: 30 * secondMs };
/** Failures in a row after which what is wrong will not pass. */
const mostFailures = 6;
/** How many tasks of one account the service works on. */
const mostTasks = 10;

type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;
type Attempt<T> = (signal: AbortSignal) => Promise<T>;

export function connectPixai({
  apiKey,
  apiRoot,
  timeoutMs = 30 * secondMs,
  deadlineMs = 10 * 60 * secondMs,
  sleep = (ms, signal) => pause(ms, undefined, { signal, ref: false }),
}: {
  readonly apiKey: string;
  readonly apiRoot?: string | undefined;
  /** For one request, in milliseconds. */
  readonly timeoutMs?: number;
  /** For one picture, in milliseconds. */
  readonly deadlineMs?: number;
  readonly sleep?: Sleep;
}): ImageEngine {
  const api = createPixaiApi({ apiKey, apiRoot, timeoutMs });
  const persistently = createPersistence(sleep);

  /** The id of the finished picture. */
  async function untilDone(taskId: string, signal: AbortSignal): Promise<string> {
    let pauseMs = polling.firstMs;
    for (;;) {
      // One look after the other.
      // oxlint-disable-next-line no-await-in-loop
      await sleep(pauseMs, signal);
      // oxlint-disable-next-line no-await-in-loop
      const { status, outputs } = await persistently((on) => api.readTask(taskId, on), signal);
      if (status === 'failed') {
        throw new AppError('generation_refused');
      }
      if (status === 'cancelled') {
        throw new AppError('generation_cancelled');
      }
      if (status === 'completed') {
        return firstOf(outputs?.mediaIds);
      }
      pauseMs = Math.min(pauseMs * polling.growth, polling.longestMs);
    }
  }

  return {
    name: 'pixai',
    abilities: { seedMax: 2n ** 63n - 1n, concurrency: mostTasks, deadlineMs, isFree: false },

    async make(recipe, { taskId: knownId, onSubmitted, signal }) {
      let taskId = knownId;
      if (taskId === undefined) {
        // Once, and to its end: without an answer the task may run, and cost, all the same.
        taskId = await api.submit(recipe).catch(throwImageError);
        await onSubmitted(taskId);
      }
      const mediaId = await untilDone(taskId, signal);
      const bytes = await persistently((on) => api.readPicture(mediaId, on), signal);
      return { bytes, seed: recipe.seed };
    },

    cancel: (taskId) => api.cancel(taskId),
  };
}

/** Asks until it is answered, more and more slowly; what does not pass is thrown. */
function createPersistence(sleep: Sleep) {
  return async <T>(attempt: Attempt<T>, signal: AbortSignal): Promise<T> => {
    let pauseMs = afterFailure.firstMs;
    for (let failures = 1; ; failures += 1) {
      try {
        // Each try depends on how the one before ended.
        // oxlint-disable-next-line no-await-in-loop
        return await attempt(signal);
      } catch (error) {
        if (signal.aborted || !isPassing(error) || failures >= mostFailures) {
          throw asImageError(error);
        }
      }
      // oxlint-disable-next-line no-await-in-loop
      await sleep(pauseMs, signal);
      pauseMs = Math.min(pauseMs * afterFailure.growth, afterFailure.longestMs);
    }
  };
}

function firstOf(mediaIds: readonly string[] | null | undefined): string {
  const [mediaId] = mediaIds ?? [];
  if (mediaId === undefined) {
    throw new AppError('picture_gone');
  }
  return mediaId;
}

function throwImageError(error: unknown): never {
  throw asImageError(error);
}
