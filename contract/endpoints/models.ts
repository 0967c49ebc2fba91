/** Models and LoRAs, as the third-party model service lists them. */
import * as v from 'valibot';

import { endpoint } from './endpoint.ts';
import { pictureFieldTexts } from './picture-texts.ts';

const text = v.optional(v.nullable(v.string()));
const idText = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.string());
const count = v.optional(v.nullable(v.number()));

/** The words in a prompt that activate a LoRA; services send them as a list or separated by commas. */
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

/** A model as screens show it. */
export type ModelCard = {
  /** Identifies the model, for its page and in lists. */
  readonly id: string;
  /** The ID of the latest usable version, for generating. */
  readonly modelId: string;
  readonly name: string;
  readonly endpointName: string;
  /** The picture in full size. */
  readonly cover: string | undefined;
  /** A small picture for grids; the full one when there is no other. */
  readonly thumbnail: string | undefined;
  /** Pixels of the cover; absent when unknown. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly type: string;
  readonly isLora: boolean;
  readonly isNsfw: boolean;
  readonly likedCount: number;
  readonly refCount: number;
  /** Epoch milliseconds; 0 when unknown. */
  readonly createdAt: number;
  readonly tags: readonly string[];
  readonly triggerWords: readonly string[];
};

type Node = v.InferOutput<typeof node>;

function toCard(model: Node): ModelCard {
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
    createdAt: Date.parse(model.createdAt ?? '') || 0,
    ...readCounts(model),
    ...readCover(model),
  };
}

function readCounts({ likedCount, refCount }: Node) {
  return { likedCount: likedCount ?? 0, refCount: refCount ?? 0 };
}

function readCover({ media: cover }: Node) {
  const findUrl = (...variants: readonly string[]) =>
    variants
      .map((variant) => cover?.urls?.find((entry) => entry.variant === variant)?.url ?? undefined)
      .find((url) => url !== undefined);
  return {
    cover: findUrl('PUBLIC'),
    thumbnail: findUrl('STILL_THUMBNAIL', 'THUMBNAIL', 'PUBLIC'),
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

/** The models of an answer. Models of an unknown shape are left out. */
export function readModelsPage({ data }: v.InferOutput<typeof modelsAnswer>): ModelsPage {
  const found = data?.generationModels;
  return {
    models: (found?.edges ?? []).flatMap((item) => {
      const parsed = v.safeParse(edge, item);
      return parsed.success ? [toCard(parsed.output.node)] : [];
    }),
    hasNextPage: found?.pageInfo?.hasNextPage ?? false,
    endCursor: found?.pageInfo?.endCursor ?? undefined,
  };
}

/** GraphQL, as clients may also query the model service directly. */
export const queryModels = endpoint({
  method: 'POST',
  path: '/api/pixai/graphql',
  query: ['operation'],
  input: v.object({
    operation: v.picklist(
      ['listGenerationModels', 'searchGenerationModels'],
      pictureFieldTexts.unknownOperation,
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

/** The same call for searches, which another server may answer. */
export const searchModels: typeof queryModels = { ...queryModels, base: 'search' };
