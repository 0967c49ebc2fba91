/** PixAI as an engine: a task is submitted once, looked after until it is done, and its picture fetched at once. */
import { AppError } from '#server/lib/errors';

import { type ImageEngine } from './image-engine.ts';
import { createPatience, type Sleep, throwImageError } from './patience.ts';
import { createPixaiApi } from './pixai-api.ts';

const secondMs = 1000;
/** How many tasks of one account the service works on. */
const mostTasks = 10;

export function connectPixai({
  apiKey,
  apiRoot,
  timeoutMs = 30 * secondMs,
  deadlineMs = 10 * 60 * secondMs,
  sleep,
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
  const { persist, untilDone } = createPatience(sleep);

  /** The id of the finished picture; undefined while there is none. */
  async function look(taskId: string, signal: AbortSignal): Promise<string | undefined> {
    const { status, outputs } = await api.readTask(taskId, signal);
    if (status === 'failed') {
      throw new AppError('generation_refused');
    }
    if (status === 'cancelled') {
      throw new AppError('generation_cancelled');
    }
    return status === 'completed' ? firstOf(outputs?.mediaIds) : undefined;
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
      const id = taskId;
      const mediaId = await untilDone((on) => look(id, on), signal);
      const bytes = await persist((on) => api.readPicture(mediaId, on), signal);
      return { files: [bytes], seed: recipe.seed };
    },

    cancel: (taskId) => api.cancel(taskId),
  };
}

function firstOf(mediaIds: readonly string[] | null | undefined): string {
  const [mediaId] = mediaIds ?? [];
  if (mediaId === undefined) {
    throw new AppError('picture_gone');
  }
  return mediaId;
}
