/** The calls of a midjourney-proxy service that pictures need; each asks once and parses the answer. */
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';
import { ask, jsonOf, type Reply } from '#server/upstream/ask';

import { notUnderstood, refusalOf } from './image-errors.ts';

export type MidjourneyAccess = {
  /** With the path at its end, such as `http://localhost:8080/mj`. */
  readonly url: string;
  readonly secret: string | undefined;
  /** For one request, in milliseconds. */
  readonly timeoutMs: number;
};

/** What `code` says: the task was taken, is there already, or waits for its turn. */
const taken: ReadonlySet<number> = new Set([1, 21, 22]);
const queueIsFull = 23;
const bannedWord = 24;
const notValid = 4;

const taskId = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(String),
  v.regex(/^[\w-]{1,100}$/),
);
const submission = v.object({ code: v.number(), result: v.optional(v.nullable(v.unknown())) });

const text = v.optional(v.nullable(v.string()));
const task = v.object({
  status: v.string(),
  imageUrl: text,
  /** One for each picture; only newer services have it. */
  imageUrls: v.optional(v.nullable(v.array(v.object({ url: v.string() })))),
  failReason: text,
});
type Task = v.InferOutput<typeof task>;

/** Each call throws a refusal of the product, or `NoAnswer`. */
export function createMidjourneyApi({ url, secret, timeoutMs }: MidjourneyAccess) {
  const headers = {
    'Content-Type': 'application/json',
    ...(secret === undefined ? {} : { 'mj-api-secret': secret }),
  };

  return {
    async submit(prompt: string): Promise<string> {
      const reply = await ask({
        url: `${url}/submit/imagine`,
        method: 'POST',
        headers,
        body: JSON.stringify({ prompt }),
        timeoutMs,
      });
      const { code, result } = read(reply, submission);
      if (!taken.has(code)) {
        throw refusalOfCode(code);
      }
      const id = v.safeParse(taskId, result);
      if (!id.success) {
        throw notUnderstood();
      }
      return id.output;
    },

    async readTask(id: string, signal: AbortSignal): Promise<Task> {
      const reply = await ask({ url: `${url}/task/${id}/fetch`, headers, timeoutMs, signal });
      const said = reply.bytes.toString('utf8').trim();
      if (reply.status < 300 && (said === '' || said === 'null')) {
        // So it answers about a task that it does not know, or no longer.
        throw new AppError('picture_gone');
      }
      return read(reply, task);
    },

    /** Only newer services can. */
    async cancel(id: string): Promise<void> {
      await ask({ url: `${url}/task/${id}/cancel`, method: 'POST', headers, timeoutMs });
    },
  };
}

function read<T>(reply: Reply, schema: v.GenericSchema<unknown, T>): T {
  if (reply.status >= 300) {
    throw refusalOf(reply.status);
  }
  const parsed = v.safeParse(schema, jsonOf(reply));
  if (!parsed.success) {
    throw notUnderstood();
  }
  return parsed.output;
}

function refusalOfCode(code: number): AppError {
  if (code === bannedWord || code === notValid) {
    return new AppError('generation_refused');
  }
  return new AppError(code === queueIsFull ? 'image_service_busy' : 'image_service_unavailable');
}
