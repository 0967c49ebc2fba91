/**
 * MidJourney as an engine, by a service that speaks the protocol of midjourney-proxy. Such a service
 * drives a Discord account, which breaks the rules of both companies, and the account may be banned.
 * It is used only when the operator has configured one.
 */
import sharp from 'sharp';
import * as v from 'valibot';

import { type ErrorCode } from '#contract/endpoints/errors';
import { pictureLimits } from '#contract/images/limits';
import { AppError } from '#server/lib/errors';
import { ownSoftware } from '#server/lib/picture-recipe';
import { type FetchReply, fetchReply, readJson } from '#server/upstream/fetch-json';

import { type ImageEngine } from './image-engine.ts';
import { throwImageError, toRefusal, unreadableReply } from './image-errors.ts';
import { fetchPicture, resolvePictureUrl } from './remote-picture.ts';
import { createRetry, type Sleep } from './retry.ts';

const service = 'midjourney';
const secondMs = 1000;
/** Most MidJourney accounts may have this many tasks in progress. */
const maxTasks = 3;
const picturesPerTask = 4;

export type MidjourneySettings = {
  /** With its path, such as `http://localhost:8080/mj`. */
  readonly url: string;
  readonly secret?: string | undefined;
  /** Milliseconds for one request. */
  readonly timeoutMs?: number;
  /** Milliseconds for one task. */
  readonly deadlineMs?: number;
  readonly sleep?: Sleep;
};

/** Values of `code`: the task was accepted, exists already, or is queued. */
const acceptedCodes: ReadonlySet<number> = new Set([1, 21, 22]);
const queueFullCode = 23;
const bannedWordCode = 24;
const invalidCode = 4;

const taskIdSchema = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(String),
  v.regex(/^[\w-]{1,100}$/),
);
const submission = v.object({ code: v.number(), result: v.optional(v.nullable(v.unknown())) });

const text = v.optional(v.nullable(v.string()));
const taskSchema = v.object({
  status: v.string(),
  imageUrl: text,
  /** One for each picture, as text or in an object. Older services do not send it. */
  imageUrls: v.optional(
    v.nullable(
      v.array(
        v.union([
          v.string(),
          v.pipe(
            v.object({ url: v.string() }),
            v.transform((one) => one.url),
          ),
        ]),
      ),
    ),
  ),
  failReason: text,
});
type Task = v.InferOutput<typeof taskSchema>;

/** Each call throws a refusal, or `NoReply`. */
function createApi({
  url,
  secret,
  timeoutMs,
}: Required<Omit<MidjourneySettings, 'deadlineMs' | 'sleep'>>) {
  const headers = {
    'Content-Type': 'application/json',
    ...(secret === undefined ? {} : { 'mj-api-secret': secret }),
  };

  return {
    /** Returns the ID of the new task. */
    async submit(prompt: string): Promise<string> {
      const reply = await fetchReply({
        service,
        url: `${url}/submit/imagine`,
        method: 'POST',
        headers,
        body: JSON.stringify({ prompt }),
        timeoutMs,
      });
      const { code, result } = read(reply, submission);
      if (!acceptedCodes.has(code)) {
        throw new AppError(toErrorCode(code));
      }
      const id = v.safeParse(taskIdSchema, result);
      if (!id.success) {
        throw unreadableReply();
      }
      return id.output;
    },

    async readTask(id: string, signal: AbortSignal): Promise<Task> {
      const reply = await fetchReply({
        service,
        url: `${url}/task/${id}/fetch`,
        headers,
        timeoutMs,
        signal,
      });
      const body = reply.bytes.toString('utf8').trim();
      if (reply.status < 300 && (body === '' || body === 'null')) {
        // The service does not know the task.
        throw new AppError('picture_gone');
      }
      return read(reply, taskSchema);
    },

    /** Older services refuse this. */
    async cancel(id: string): Promise<void> {
      await fetchReply({
        service,
        url: `${url}/task/${id}/cancel`,
        method: 'POST',
        headers,
        timeoutMs,
      });
    },
  };
}

function read<T>(reply: FetchReply, schema: v.GenericSchema<unknown, T>): T {
  if (reply.status >= 300) {
    throw toRefusal(reply.status);
  }
  const parsed = v.safeParse(schema, readJson(reply));
  if (!parsed.success) {
    throw unreadableReply();
  }
  return parsed.output;
}

function toErrorCode(code: number): ErrorCode {
  if (code === bannedWordCode || code === invalidCode) {
    return 'generation_refused';
  }
  return code === queueFullCode ? 'image_service_busy' : 'image_service_unavailable';
}

export function connectMidjourney({
  url,
  secret,
  timeoutMs = 30 * secondMs,
  deadlineMs = 15 * 60 * secondMs,
  sleep,
}: MidjourneySettings): ImageEngine {
  const api = createApi({ url, secret, timeoutMs });
  const { retry, pollUntilDone } = createRetry(sleep);

  /** The addresses of the finished grid and of its pictures; undefined while the task is in progress. */
  async function findPictures(taskId: string, signal: AbortSignal) {
    const { status, imageUrl, imageUrls, failReason } = await api.readTask(taskId, signal);
    if (status === 'FAILURE') {
      throw new AppError(readFailure(failReason ?? ''));
    }
    if (status === 'CANCEL') {
      throw new AppError('generation_cancelled');
    }
    if (status !== 'SUCCESS') {
      return undefined;
    }
    const separate = imageUrls ?? [];
    const grid = imageUrl || separate[0];
    if (grid === undefined || grid === '') {
      throw new AppError('picture_gone');
    }
    return { grid, separate: separate.length > 1 ? separate : [] };
  }

  const fetchFile = (address: string, signal: AbortSignal) => {
    const target = resolvePictureUrl(address, url);
    return retry((on) => fetchPicture({ url: target, root: url, timeoutMs, signal: on }), signal);
  };

  /**
   * The separate pictures may be on MidJourney's own server, which refuses programs at times. The grid is
   * the service's own copy, and has all of them.
   */
  async function fetchFiles(
    { grid, separate }: { readonly grid: string; readonly separate: readonly string[] },
    signal: AbortSignal,
  ): Promise<readonly Buffer[]> {
    try {
      if (separate.length > 0) {
        return await Promise.all(separate.map(async (address) => fetchFile(address, signal)));
      }
    } catch (error) {
      if (signal.aborted || separate.includes(grid)) {
        throw error;
      }
    }
    return splitGrid(await fetchFile(grid, signal));
  }

  return {
    name: 'midjourney',
    abilities: {
      // The service chooses its own seeds.
      seedMax: 2n ** 32n - 1n,
      concurrency: maxTasks,
      deadlineMs,
      isFree: false,
      pictures: picturesPerTask,
    },
    origin: { software: ownSoftware.midjourney, usesSeed: false, usesScale: false },

    async make({ prompt, seed }, { taskId: knownId, onSubmitted, signal }) {
      let taskId = knownId;
      if (taskId === undefined) {
        // Never repeated or aborted: without a reply the task may still run and cost money.
        taskId = await api.submit(prompt).catch(throwImageError);
        await onSubmitted(taskId);
      }
      const id = taskId;
      const found = await pollUntilDone((on) => findPictures(id, on), signal);
      return { files: await fetchFiles(found, signal), seed };
    },

    cancel: (taskId) => api.cancel(taskId),
  };
}

/** What services say of a task that was cancelled there: "task cancelled". */
const cancelledReason = /^取消任务$/;

function readFailure(failReason: string): ErrorCode {
  if (cancelledReason.test(failReason.trim())) {
    return 'generation_cancelled';
  }
  if (/\b(?:credits?|subscri\w+|fast hours|quota)\b/i.test(failReason)) {
    return 'out_of_credit';
  }
  return /time(?:d )?-?out/i.test(failReason) ? 'generation_slow' : 'generation_refused';
}

/** Returns the four pictures of a grid, row by row. Throws `picture_broken`. */
async function splitGrid(grid: Buffer): Promise<readonly Buffer[]> {
  try {
    const limitInputPixels = pictureLimits.pixels;
    const { width, height, format } = await sharp(grid, { limitInputPixels }).metadata();
    const half = { width: Math.floor(width / 2), height: Math.floor(height / 2) };
    // With an odd side, the middle line is dropped.
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
