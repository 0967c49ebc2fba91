/**
 * MidJourney as an engine, by way of a service that speaks the protocol of midjourney-proxy. Such a
 * service drives an account of Discord, which is against the rules of both: it may be banned. So it
 * is used only where somebody has set one up, and named it.
 */
import sharp from 'sharp';

import { type ErrorCode } from '#contract/endpoints/errors';
import { pictureLimits } from '#contract/images/limits';
import { AppError } from '#server/lib/errors';

import { type ImageEngine } from './image-engine.ts';
import { createMidjourneyApi } from './midjourney-api.ts';
import { createPatience, type Sleep, throwImageError } from './patience.ts';
import { readPictureAt, targetOf } from './remote-picture.ts';

const secondMs = 1000;
/** What most accounts may have under way. */
const mostTasks = 3;
const picturesEach = 4;

export type MidjourneySettings = {
  /** Of the service, with the path at its end, such as `http://localhost:8080/mj`. */
  readonly url: string;
  readonly secret?: string | undefined;
  /** For one request, in milliseconds. */
  readonly timeoutMs?: number;
  /** For one wish, in milliseconds. */
  readonly deadlineMs?: number;
  readonly sleep?: Sleep;
};

export function connectMidjourney({
  url,
  secret,
  timeoutMs = 30 * secondMs,
  deadlineMs = 15 * 60 * secondMs,
  sleep,
}: MidjourneySettings): ImageEngine {
  const api = createMidjourneyApi({ url, secret, timeoutMs });
  const { persist, untilDone } = createPatience(sleep);

  /** Where the finished pictures are; undefined while there are none. */
  async function look(taskId: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const { status, imageUrl, imageUrls, failReason } = await api.readTask(taskId, signal);
    if (status === 'FAILURE') {
      throw new AppError(codeOf(failReason ?? ''));
    }
    if (status === 'CANCEL') {
      throw new AppError('generation_cancelled');
    }
    if (status !== 'SUCCESS') {
      return undefined;
    }
    const each = (imageUrls ?? []).map(({ url: one }) => one);
    const found = each.length > 1 ? each : [imageUrl ?? each[0] ?? ''];
    if (found.includes('')) {
      throw new AppError('picture_gone');
    }
    return found;
  }

  return {
    name: 'midjourney',
    abilities: {
      // Seeds are the service's own.
      seedMax: 2n ** 32n - 1n,
      concurrency: mostTasks,
      deadlineMs,
      isFree: false,
      pictures: picturesEach,
    },

    async make({ prompt, seed }, { taskId: knownId, onSubmitted, signal }) {
      let taskId = knownId;
      if (taskId === undefined) {
        // Once, and to its end: without an answer the task may run, and cost, all the same.
        taskId = await api.submit(prompt).catch(throwImageError);
        await onSubmitted(taskId);
      }
      const id = taskId;
      const addresses = await untilDone((on) => look(id, on), signal);
      const files = await Promise.all(
        addresses.map((address) => {
          const target = targetOf(address, url);
          return persist(
            (on) => readPictureAt({ url: target, root: url, timeoutMs, signal: on }),
            signal,
          );
        }),
      );
      const [grid, ...others] = files;
      return { files: grid && others.length === 0 ? await split(grid) : files, seed };
    },

    cancel: (taskId) => api.cancel(taskId),
  };
}

/** Why it failed there, from a sentence that may repeat the prompt and stays here. */
function codeOf(failReason: string): ErrorCode {
  if (/\b(?:credits?|subscri\w+|fast hours|quota)\b/i.test(failReason)) {
    return 'out_of_credit';
  }
  return /time(?:d )?-?out/i.test(failReason) ? 'generation_slow' : 'generation_refused';
}

/** The four pictures of a grid, row by row. Throws `picture_broken`. */
async function split(grid: Buffer): Promise<readonly Buffer[]> {
  try {
    const limitInputPixels = pictureLimits.pixels;
    const { width, height, format } = await sharp(grid, { limitInputPixels }).metadata();
    const half = { width: Math.floor(width / 2), height: Math.floor(height / 2) };
    // What is left of an odd side goes in the middle, where nothing is lost but a line.
    const corners = [0, height - half.height].flatMap((top) =>
      [0, width - half.width].map((left) => [top, left] as const),
    );
    return await Promise.all(
      corners.map(([top, left]) => {
        const whole = sharp(grid, { limitInputPixels, failOn: 'error' });
        const picture = whole.extract({ top, left, width: half.width, height: half.height });
        return (format === 'png' ? picture.png() : picture.webp({ quality: 95 })).toBuffer();
      }),
    );
  } catch {
    throw new AppError('picture_broken');
  }
}
