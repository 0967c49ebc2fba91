/** PixAI as an engine and a model list, by its official API. */
import * as v from 'valibot';

import { pictureLimits } from '#contract/images/limits';
import { modelDocuments } from '#contract/images/model-documents';
import { AppError } from '#server/lib/errors';
import { ownSoftware, type PictureRecipe } from '#server/lib/picture-recipe';
import { type FetchReply, fetchReply, NoReply, readJson } from '#server/upstream/fetch-json';

import {
  type ImageEngine,
  type ModelPage,
  type ModelQuery,
  type ModelService,
  type OpenSource,
} from './image-engine.ts';
import { throwImageError, toRefusal, unreadableReply } from './image-errors.ts';
import { fetchPicture, readPicture, resolvePictureUrl } from './remote-picture.ts';
import { createRetry, type Sleep } from './retry.ts';

const service = 'pixai';
export const pixaiRoot = 'https://api.pixai.art';
/** PixAI names 20 to 25 as usual; each step costs credit. Its samplers differ by model, and nothing lists them. */
const steps = { min: 10, max: 30, default: 25 } as const;
/** PixAI works on this many tasks of one account. */
const maxTasks = 10;
const secondMs = 1000;
const listTimeoutMs = 15 * secondMs;
/** Characters of PixAI's own error messages that users see. */
const maxDetailLength = 300;

type PixaiSettings = {
  readonly apiKey: string;
  /** Without a slash at its end. Default https://api.pixai.art. */
  readonly apiRoot?: string | undefined;
};

type EngineSettings = PixaiSettings & {
  /** Whether PixAI can fetch pictures by their links here: over HTTPS, from the internet. Default false. */
  readonly hasPublicLinks?: boolean;
  /** Milliseconds for one request. */
  readonly timeoutMs?: number;
  /** Milliseconds for one picture. */
  readonly deadlineMs?: number;
  readonly sleep?: Sleep;
};

const id = v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/));

const taskSchema = v.object({
  id,
  status: v.picklist(['waiting', 'running', 'completed', 'failed', 'cancelled']),
  outputs: v.optional(v.nullable(v.object({ mediaIds: v.optional(v.nullable(v.array(id))) }))),
});
type Task = v.InferOutput<typeof taskSchema>;

/** Each call throws a refusal, or `NoReply`. */
function createApi({
  apiKey,
  apiRoot,
  timeoutMs,
}: Required<Omit<EngineSettings, 'deadlineMs' | 'sleep' | 'hasPublicLinks'>> & {
  apiRoot: string;
}) {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const jsonHeaders = { ...headers, 'Content-Type': 'application/json' };

  function post(path: string, body: unknown): Promise<FetchReply> {
    const url = `${apiRoot}${path}`;
    return fetchReply({
      service,
      url,
      method: 'POST',
      headers: jsonHeaders,
      body: JSON.stringify(body),
      timeoutMs,
    });
  }

  function get(path: string, signal: AbortSignal): Promise<FetchReply> {
    const maxBytes = pictureLimits.bytes;
    return fetchReply({
      service,
      url: `${apiRoot}${path}`,
      headers,
      timeoutMs,
      maxBytes,
      signal,
    });
  }

  return {
    /** Returns the ID of the new task. */
    submit: async (recipe: PictureRecipe, source: OpenSource | undefined): Promise<string> =>
      readTask(await post('/v1/task', { parameters: toParameters(recipe, source) })).id,

    findTask: async (taskId: string, signal: AbortSignal): Promise<Task> =>
      readTask(await get(`/v1/task/${taskId}`, signal)),

    /** By media ID, because the addresses in a task expire within minutes. */
    async fetchMedia(mediaId: string, signal: AbortSignal): Promise<Buffer> {
      const reply = await get(`/v1/media/${mediaId}/image`, signal);
      const isRedirect = reply.status >= 300 && reply.status < 400;
      if (!isRedirect) {
        return readPicture(reply);
      }
      const url = resolvePictureUrl(reply.headers.get('Location') ?? '', apiRoot);
      return fetchPicture({ url, root: apiRoot, timeoutMs, signal });
    },

    async cancel(taskId: string): Promise<void> {
      const query =
        'mutation cancelGenerationTask($id: ID!) { cancelGenerationTask(id: $id) { id status } }';
      const { status } = await post('/graphql', { query, variables: { id: taskId } });
      if (status >= 300) {
        throw toRefusal(status);
      }
    },
  };
}

function toParameters(recipe: PictureRecipe, source: OpenSource | undefined) {
  const { prompt, negativePrompt, modelId, loras, seed, width, height, scale } = recipe;
  return {
    prompts: prompt,
    negativePrompts: negativePrompt,
    modelId,
    width,
    height,
    batchSize: 1,
    samplingSteps: recipe.steps ?? steps.default,
    cfgScale: scale,
    seed,
    ...(Object.keys(loras).length === 0 ? {} : { lora: loras }),
    ...(recipe.source && source && { mediaUrl: source.link(), strength: recipe.source.strength }),
  };
}

function readTask(reply: FetchReply): Task {
  if (reply.status >= 300) {
    throw toRefusal(reply.status, reply.bytes.toString('utf8'));
  }
  const parsed = v.safeParse(taskSchema, readJson(reply));
  if (!parsed.success) {
    throw unreadableReply();
  }
  return parsed.output;
}

export function connectPixai({
  apiKey,
  apiRoot = pixaiRoot,
  timeoutMs = 30 * secondMs,
  deadlineMs = 10 * 60 * secondMs,
  hasPublicLinks = false,
  sleep,
}: EngineSettings): ImageEngine {
  const api = createApi({ apiKey, apiRoot, timeoutMs });
  const { retry, pollUntilDone } = createRetry(sleep);

  /** The media ID of the finished picture; undefined while the task is in progress. */
  async function findMedia(taskId: string, signal: AbortSignal): Promise<string | undefined> {
    const { status, outputs } = await api.findTask(taskId, signal);
    if (status === 'failed') {
      throw new AppError('generation_refused');
    }
    if (status === 'cancelled') {
      throw new AppError('generation_cancelled');
    }
    if (status !== 'completed') {
      return undefined;
    }
    const [mediaId] = outputs?.mediaIds ?? [];
    if (mediaId === undefined) {
      throw new AppError('picture_gone');
    }
    return mediaId;
  }

  return {
    name: 'pixai',
    abilities: {
      seedMax: 2n ** 63n - 1n,
      concurrency: maxTasks,
      deadlineMs,
      isFree: false,
      loraWeightMax: 1,
      steps,
      ...(hasPublicLinks && { modes: ['variation'] }),
    },
    origin: {
      software: ownSoftware.pixai,
      steps: steps.default,
      usesSeed: true,
      usesScale: true,
    },

    async make(recipe, { taskId: knownId, onSubmitted, signal, source }) {
      let taskId = knownId;
      if (taskId === undefined) {
        // Never repeated or aborted: without a reply the task may still run and cost money.
        taskId = await api.submit(recipe, source).catch(throwImageError);
        await onSubmitted(taskId);
      }
      const submitted = taskId;
      const mediaId = await pollUntilDone((on) => findMedia(submitted, on), signal);
      const bytes = await retry((on) => api.fetchMedia(mediaId, on), signal);
      return { files: [bytes], seed: recipe.seed };
    },

    cancel: (taskId) => api.cancel(taskId),
  };
}

const nameDocument = `query generationModelVersion($id: ID!) {
  generationModelVersion(id: $id) { id name model { title } }
}`;

const pageReply = v.object({
  data: v.object({
    generationModels: v.object({
      edges: v.array(v.object({ cursor: v.string(), node: v.looseObject({ id: v.string() }) })),
      pageInfo: v.object({
        hasNextPage: v.boolean(),
        endCursor: v.optional(v.nullable(v.string())),
      }),
    }),
  }),
});

const errorReply = v.object({
  errors: v.pipe(v.array(v.object({ message: v.string() })), v.minLength(1)),
});

const nameReply = v.object({
  data: v.object({
    generationModelVersion: v.object({
      name: v.optional(v.nullable(v.string())),
      model: v.optional(v.nullable(v.object({ title: v.optional(v.nullable(v.string())) }))),
    }),
  }),
});

export function connectPixaiModels({ apiKey, apiRoot = pixaiRoot }: PixaiSettings): ModelService {
  async function query(document: string, variables: Readonly<Record<string, unknown>>) {
    try {
      const reply = await fetchReply({
        service,
        url: `${apiRoot}/graphql`,
        method: 'POST',
        headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: document, variables }),
        timeoutMs: listTimeoutMs,
      });
      return { status: reply.status, body: readJson(reply) };
    } catch (error) {
      throw error instanceof NoReply ? new AppError('model_service_failed') : error;
    }
  }

  async function readPage(document: string, variables: ModelQuery): Promise<ModelPage> {
    const { status, body } = await query(document, variables);
    const failure = v.safeParse(errorReply, body);
    if (failure.success) {
      const [first] = failure.output.errors;
      const detail = first?.message.slice(0, maxDetailLength);
      throw new AppError('model_service_failed', detail === undefined ? {} : { detail });
    }
    const parsed = v.safeParse(pageReply, body);
    if (status !== 200 || !parsed.success) {
      throw new AppError('model_service_failed');
    }
    const { edges, pageInfo } = parsed.output.data.generationModels;
    const { hasNextPage, endCursor } = pageInfo;
    return { edges, pageInfo: { hasNextPage, endCursor: endCursor ?? undefined } };
  }

  return {
    list: (variables) => readPage(modelDocuments.list, variables),
    search: (variables) => readPage(modelDocuments.search, variables),
    findName: async (versionId) => {
      try {
        const { body } = await query(nameDocument, { id: versionId });
        const parsed = v.safeParse(nameReply, body);
        const version = parsed.success ? parsed.output.data.generationModelVersion : undefined;
        return version?.model?.title ?? version?.name ?? undefined;
      } catch {
        // The model is shown by its ID instead.
        return undefined;
      }
    },
  };
}
