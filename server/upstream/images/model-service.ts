/** The model list of PixAI, asked with our own documents and an official key. */
import * as v from 'valibot';

import { modelDocuments } from '#contract/images/model-documents';
import { AppError } from '#server/lib/errors';
import { ask, jsonOf, NoAnswer } from '#server/upstream/ask';

type Page = {
  readonly edges: readonly { readonly cursor: string; readonly node: unknown }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | undefined };
};

type Wish = {
  readonly first: number;
  readonly after?: string | null | undefined;
  readonly feed?: string | undefined;
  readonly orderBy?: string | undefined;
  readonly keyword?: string | undefined;
};

export type ModelService = {
  /** Both throw `model_service_failed` with the service's own words where they help. */
  readonly list: (wish: Wish) => Promise<Page>;
  readonly search: (wish: Wish) => Promise<Page>;
  /** What the model of a version is called; undefined when nobody knows. Never throws. */
  readonly nameOf: (versionId: string) => Promise<string | undefined>;
};

const timeoutMs = 15_000;
/** Characters of a refusal that are passed on. */
const longestDetail = 300;

const nameDocument = `query generationModelVersion($id: ID!) {
  generationModelVersion(id: $id) { id name model { title } }
}`;

const pageAnswer = v.object({
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

const errorAnswer = v.object({
  errors: v.pipe(v.array(v.object({ message: v.string() })), v.minLength(1)),
});

const nameAnswer = v.object({
  data: v.object({
    generationModelVersion: v.object({
      name: v.optional(v.nullable(v.string())),
      model: v.optional(v.nullable(v.object({ title: v.optional(v.nullable(v.string())) }))),
    }),
  }),
});

/** `apiRoot` without a slash at its end. */
export function connectModelService({
  apiKey,
  apiRoot,
}: {
  readonly apiKey: string;
  readonly apiRoot: string;
}): ModelService {
  async function send(query: string, variables: Readonly<Record<string, unknown>>) {
    try {
      const reply = await ask({
        url: `${apiRoot}/graphql`,
        method: 'POST',
        headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query, variables }),
        timeoutMs,
      });
      return { status: reply.status, body: jsonOf(reply) };
    } catch (error) {
      throw error instanceof NoAnswer ? new AppError('model_service_failed') : error;
    }
  }

  async function page(query: string, wish: Wish): Promise<Page> {
    const { status, body } = await send(query, wish);
    const failure = v.safeParse(errorAnswer, body);
    if (failure.success) {
      const [first] = failure.output.errors;
      const detail = first?.message.slice(0, longestDetail);
      throw new AppError('model_service_failed', detail === undefined ? {} : { detail });
    }
    const parsed = v.safeParse(pageAnswer, body);
    if (status !== 200 || !parsed.success) {
      throw new AppError('model_service_failed');
    }
    const { edges, pageInfo } = parsed.output.data.generationModels;
    const { hasNextPage, endCursor } = pageInfo;
    return { edges, pageInfo: { hasNextPage, endCursor: endCursor ?? undefined } };
  }

  return {
    list: (wish) => page(modelDocuments.list, wish),
    search: (wish) => page(modelDocuments.search, wish),
    nameOf: async (id) => {
      try {
        const { body } = await send(nameDocument, { id });
        const parsed = v.safeParse(nameAnswer, body);
        const version = parsed.success ? parsed.output.data.generationModelVersion : undefined;
        return version?.model?.title ?? version?.name ?? undefined;
      } catch {
        // A name is a help, and not worth a failure: the id stands in for it.
        return undefined;
      }
    },
  };
}
