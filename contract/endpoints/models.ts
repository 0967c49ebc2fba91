/** The models and LoRAs that pictures can be made with, as the third-party model service lists them. */
import * as v from 'valibot';

import { endpoint } from './endpoint.ts';

const text = v.optional(v.nullable(v.string()));
const idText = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.string());
const count = v.optional(v.nullable(v.number()));

/** Words that call a LoRA's subject; services write them as a list or with commas between. */
const triggerWords = v.pipe(
  v.optional(v.nullable(v.union([v.string(), v.array(v.string())]))),
  v.transform((words) => (typeof words === 'string' ? words.split(',') : (words ?? []))),
  v.transform((words) => words.map((word) => word.trim()).filter((word) => word !== '')),
);

const media = v.looseObject({
  urls: v.optional(v.nullable(v.array(v.looseObject({ variant: text, url: text })))),
  width: count,
  height: count,
});

const node = v.looseObject({
  id: idText,
  title: text,
  type: text,
  isNsfw: v.optional(v.nullable(v.boolean())),
  likedCount: count,
  refCount: count,
  createdAt: text,
  media: v.optional(v.nullable(media)),
  tags: v.optional(v.nullable(v.array(v.looseObject({ name: text })))),
  latestAvailableVersion: v.optional(
    v.nullable(
      v.looseObject({
        id: idText,
        name: text,
        extra: v.optional(v.nullable(v.looseObject({ triggerWords: v.optional(v.unknown()) }))),
      }),
    ),
  ),
});

/** A model as the screens show it. */
export type ModelCard = {
  /** The model itself; its page and its place in lists. */
  readonly id: string;
  /** The latest version that can be used: what generating works with. */
  readonly modelId: string;
  readonly name: string;
  readonly endpointName: string;
  /** The full picture. */
  readonly cover: string | undefined;
  /** A small one, for grids; the full one where there is no other. */
  readonly thumbnail: string | undefined;
  /** Pixels of the cover; absent when unknown. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly type: string;
  readonly isLora: boolean;
  readonly isNsfw: boolean;
  readonly likedCount: number;
  readonly refCount: number;
  readonly tags: readonly string[];
  readonly triggerWords: readonly string[];
};

type Node = v.InferOutput<typeof node>;

function cardOf(model: Node): ModelCard {
  const name = model.title ?? '';
  const type = model.type ?? '';
  const version = model.latestAvailableVersion;
  const words = v.safeParse(triggerWords, version?.extra?.triggerWords);
  return {
    id: model.id,
    modelId: version?.id ?? model.id,
    name,
    endpointName: name.toLowerCase().replaceAll(/[^a-z\d]/g, ''),
    type,
    isLora: type.toLowerCase().includes('lora'),
    isNsfw: model.isNsfw ?? false,
    triggerWords: words.success ? words.output : [],
    tags: (model.tags ?? []).flatMap((tag) => tag.name ?? []),
    ...countsOf(model),
    ...coverOf(model),
  };
}

function countsOf({ likedCount, refCount }: Node) {
  return { likedCount: likedCount ?? 0, refCount: refCount ?? 0 };
}

function coverOf({ media: cover }: Node) {
  const urlOf = (...variants: readonly string[]) =>
    variants
      .map((variant) => cover?.urls?.find((entry) => entry.variant === variant)?.url ?? undefined)
      .find((url) => url !== undefined);
  return {
    cover: urlOf('PUBLIC'),
    thumbnail: urlOf('STILL_THUMBNAIL', 'THUMBNAIL', 'PUBLIC'),
    width: cover?.width ?? undefined,
    height: cover?.height ?? undefined,
  };
}

const modelsAnswer = v.looseObject({
  data: v.optional(
    v.nullable(
      v.looseObject({
        generationModels: v.optional(
          v.nullable(
            v.looseObject({
              edges: v.optional(v.nullable(v.array(v.unknown()))),
              pageInfo: v.optional(
                v.nullable(
                  v.looseObject({
                    hasNextPage: v.optional(v.nullable(v.boolean())),
                    endCursor: text,
                  }),
                ),
              ),
            }),
          ),
        ),
      }),
    ),
  ),
  errors: v.optional(v.nullable(v.array(v.looseObject({ message: v.optional(v.string()) })))),
});

const edge = v.looseObject({ node });

export type ModelsPage = {
  readonly models: readonly ModelCard[];
  readonly hasNextPage: boolean;
  readonly endCursor: string | undefined;
};

/** The models of an answer. One of an unknown shape is left out: it must not hide the others. */
export function readModelsPage({ data }: v.InferOutput<typeof modelsAnswer>): ModelsPage {
  const found = data?.generationModels;
  return {
    models: (found?.edges ?? []).flatMap((item) => {
      const parsed = v.safeParse(edge, item);
      return parsed.success ? [cardOf(parsed.output.node)] : [];
    }),
    hasNextPage: found?.pageInfo?.hasNextPage ?? false,
    endCursor: found?.pageInfo?.endCursor ?? undefined,
  };
}

/** GraphQL, so that it can be asked of the model service itself, too. */
export const queryModels = endpoint({
  method: 'POST',
  path: '/api/pixai/graphql',
  query: ['operation'],
  input: v.object({
    operation: v.picklist(
      ['listGenerationModels', 'searchGenerationModels'],
      'There is no such operation',
    ),
    query: v.optional(v.pipe(v.string(), v.maxLength(8000))),
    variables: v.object({
      first: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 36),
      after: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(200)))),
      feed: v.optional(v.pipe(v.string(), v.maxLength(40))),
      orderBy: v.optional(v.pipe(v.string(), v.maxLength(80))),
      keyword: v.optional(v.pipe(v.string(), v.maxLength(200))),
    }),
  }),
  output: modelsAnswer,
});

/** The same call for searches, which may be answered by another server. */
export const searchModels: typeof queryModels = { ...queryModels, base: 'search' };
