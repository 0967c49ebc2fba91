/** The calls of PixAI's official API that pictures need; each asks once and parses the answer. */
import * as v from 'valibot';

import { pictureLimits } from '#contract/images/limits';
import { type PictureRecipe } from '#server/lib/picture-recipe';
import { ask, jsonOf, type Reply } from '#server/upstream/ask';

import { notUnderstood, refusalOf } from './image-errors.ts';
import { pictureIn, readPictureAt, targetOf } from './remote-picture.ts';

const officialRoot = 'https://api.pixai.art';
const samplingSteps = 25;

type PixaiAccess = {
  readonly apiKey: string;
  /** Without a slash at its end. */
  readonly apiRoot?: string | undefined;
  /** For one request, in milliseconds. */
  readonly timeoutMs: number;
};

const id = v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/));

const task = v.object({
  id,
  status: v.picklist(['waiting', 'running', 'completed', 'failed', 'cancelled']),
  outputs: v.optional(v.nullable(v.object({ mediaIds: v.optional(v.nullable(v.array(id))) }))),
});
type Task = v.InferOutput<typeof task>;

/** Each call throws a refusal of the product, or `NoAnswer`. */
export function createPixaiApi({ apiKey, apiRoot = officialRoot, timeoutMs }: PixaiAccess) {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const json = { ...headers, 'Content-Type': 'application/json' };

  function send(path: string, body: unknown): Promise<Reply> {
    const url = `${apiRoot}${path}`;
    return ask({ url, method: 'POST', headers: json, body: JSON.stringify(body), timeoutMs });
  }

  function read(path: string, signal: AbortSignal): Promise<Reply> {
    const maxBytes = pictureLimits.bytes;
    return ask({ url: `${apiRoot}${path}`, headers, timeoutMs, maxBytes, signal });
  }

  return {
    async submit(recipe: PictureRecipe): Promise<string> {
      return taskOf(await send('/v1/task', { parameters: parametersOf(recipe) })).id;
    },

    async readTask(taskId: string, signal: AbortSignal): Promise<Task> {
      return taskOf(await read(`/v1/task/${taskId}`, signal));
    },

    /** By way of the service, as the addresses in a task stop working within minutes. */
    async readPicture(mediaId: string, signal: AbortSignal): Promise<Buffer> {
      const reply = await read(`/v1/media/${mediaId}/image`, signal);
      const isElsewhere = reply.status >= 300 && reply.status < 400;
      if (!isElsewhere) {
        return pictureIn(reply);
      }
      const url = targetOf(reply.headers.get('Location') ?? '', apiRoot);
      return readPictureAt({ url, root: apiRoot, timeoutMs, signal });
    },

    async cancel(taskId: string): Promise<void> {
      const query =
        'mutation cancelGenerationTask($id: ID!) { cancelGenerationTask(id: $id) { id status } }';
      const { status } = await send('/graphql', { query, variables: { id: taskId } });
      if (status >= 300) {
        throw refusalOf(status);
      }
    },
  };
}

function parametersOf(recipe: PictureRecipe) {
  const { prompt, negativePrompt, modelId, loras, seed, width, height, scale } = recipe;
  return {
    prompts: prompt,
    negativePrompts: negativePrompt,
    modelId,
    width,
    height,
    batchSize: 1,
    samplingSteps,
    cfgScale: scale,
    seed,
    ...(Object.keys(loras).length === 0 ? {} : { lora: loras }),
  };
}

function taskOf(reply: Reply): Task {
  if (reply.status >= 300) {
    throw refusalOf(reply.status, reply.bytes.toString('utf8'));
  }
  const parsed = v.safeParse(task, jsonOf(reply));
  if (!parsed.success) {
    throw notUnderstood();
  }
  return parsed.output;
}
