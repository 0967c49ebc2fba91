/** The calls of a Stable Diffusion web UI (A1111, Forge), by the API it has with `--api`. */
import * as v from 'valibot';

import { AppError } from '#server/lib/errors';
import { ask, jsonOf, type Reply } from '#server/upstream/ask';

import { notUnderstood, refusalOf } from './image-errors.ts';

/** A picture comes as text, which is a third longer. */
const maxBytes = 40 * 1024 * 1024;

export type A1111Options = {
  /** Without a slash at its end. */
  readonly url: string;
  /** `user:password`, where the web UI was started with `--api-auth`. */
  readonly auth?: string | undefined;
  /** For one call, in milliseconds. */
  readonly timeoutMs?: number;
};

const modelList = v.array(
  v.object({
    /** Name, ending and hash, as its own page shows them. */
    title: v.string(),
    model_name: v.string(),
    /** Absent until it has been used once. */
    hash: v.optional(v.nullable(v.string())),
  }),
);
export type A1111Model = v.InferOutput<typeof modelList>[number];

const loraList = v.array(v.object({ name: v.string(), alias: v.optional(v.nullable(v.string())) }));
export type A1111Lora = v.InferOutput<typeof loraList>[number];

/** Each call throws a refusal of the product, or `NoAnswer`. */
export function createA1111Api({ url, auth, timeoutMs }: Required<A1111Options>) {
  const headers = {
    'Content-Type': 'application/json',
    ...(auth === undefined
      ? {}
      : { Authorization: `Basic ${Buffer.from(auth, 'utf8').toString('base64')}` }),
  };

  const send = (path: string, options: Partial<Parameters<typeof ask>[0]> = {}) =>
    ask({ url: `${url}${path}`, headers, timeoutMs, maxBytes, ...options });

  async function listModels(signal?: AbortSignal): Promise<readonly A1111Model[]> {
    const reply = await send('/sdapi/v1/sd-models', signal ? { signal } : {});
    const parsed = v.safeParse(modelList, bodyOf(reply));
    if (!parsed.success) {
      throw notUnderstood();
    }
    return parsed.output;
  }

  return {
    listModels,

    /** None where its LoRAs are switched off: they are an extension. */
    async listLoras(): Promise<readonly A1111Lora[]> {
      const reply = await send('/sdapi/v1/loras');
      if (reply.status === 404) {
        return [];
      }
      const parsed = v.safeParse(loraList, bodyOf(reply));
      if (!parsed.success) {
        throw notUnderstood();
      }
      return parsed.output;
    },

    async draw(wish: object, signal: AbortSignal): Promise<unknown> {
      const body = JSON.stringify(wish);
      return bodyOf(await send('/sdapi/v1/txt2img', { method: 'POST', body, signal }));
    },

    async interrupt(): Promise<void> {
      await send('/sdapi/v1/interrupt', { method: 'POST' });
    },
  };
}

/** Throws a refusal. What it refuses with 5xx is mostly a card without enough memory. */
function bodyOf(reply: Reply): unknown {
  if (reply.status === 404) {
    // Another program, or one that was started without its API.
    throw new AppError('image_service_unavailable');
  }
  if (reply.status >= 300) {
    throw refusalOf(reply.status, reply.bytes.toString('utf8'));
  }
  return jsonOf(reply);
}
