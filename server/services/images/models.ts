/** The models that pictures can be made with: those of the image service, or the built-in ones. */
import * as v from 'valibot';

import { type Dependencies } from '#server/app/dependencies';
import { createModelNameRepository } from '#server/db/model-names';
import { AppError } from '#server/lib/errors';
import { createMemoryCache } from '#server/lib/memory-cache';
import {
  type ModelPage,
  type ModelQuery,
  type ModelService,
} from '#server/upstream/images/image-engine';

import { coverVersion } from './covers.ts';
import { catalogue, type CatalogueModel, findModel } from './model-catalogue.ts';

/** Names of the service's models in memory. */
const maxNames = 2000;
const nameLifetimeMs = 6 * 60 * 60_000;

type ModelInfo = {
  readonly name: string;
  readonly type?: string;
  readonly trigger_words?: readonly string[];
  readonly cover_url?: string;
  readonly is_nsfw?: boolean;
};

export type Models = {
  /** Throws `invalid_cursor` or `model_service_failed`. */
  readonly list: (query: ModelQuery) => Promise<ModelPage>;
  readonly search: (query: ModelQuery) => Promise<ModelPage>;
  /** `telegramId` is the user whose own names count, too. Throws `model_not_found`. */
  readonly info: (modelId: string, telegramId: number | undefined) => Promise<ModelInfo>;
  /**
   * Stores names from a user's devices, for models that the service does not name. Only this user gets them. Returns
   * how many were new.
   */
  readonly addNames: (
    telegramId: number,
    models: readonly { readonly modelId: string; readonly name: string }[],
  ) => Promise<number>;
};

/** `service` is undefined while no image service is connected. */
export function createModels(
  { database: { db }, env, clock }: Pick<Dependencies, 'database' | 'env' | 'clock'>,
  service: ModelService | undefined,
): Models {
  const names = createModelNameRepository(db);
  const serviceNames = createMemoryCache<string | undefined>({
    max: maxNames,
    lifetimeMs: nameLifetimeMs,
    clock,
  });
  const coverUrl = (id: string, variant: string) =>
    `${env.publicUrl ?? ''}/backend/media/covers/${coverVersion}/${id}-${variant}.webp`;

  function readCatalogue(query: ModelQuery): ModelPage {
    const { models, hasNextPage } = readPage(query);
    const edges = models.map((model) => ({
      cursor: Buffer.from(model.id).toString('base64url'),
      node: toNode(model, coverUrl),
    }));
    return { edges, pageInfo: { hasNextPage, endCursor: edges.at(-1)?.cursor } };
  }

  /** A missing name is not kept in memory, because the service may have been down. */
  async function findServiceName(modelId: string): Promise<string | undefined> {
    const name = await serviceNames.get(modelId, async () => service?.findName(modelId));
    if (name === undefined) {
      serviceNames.forget(modelId);
    }
    return name;
  }

  return {
    list: async (query) => service?.list(query) ?? readCatalogue({ ...query, keyword: undefined }),

    search: async (query) =>
      service?.search(query) ?? readCatalogue({ ...query, keyword: query.keyword ?? '' }),

    info: async (modelId, telegramId) => {
      const model = service ? undefined : findModel(modelId);
      if (model) {
        return {
          name: model.title,
          type: model.type,
          trigger_words: model.triggerWords,
          cover_url: coverUrl(model.id, 'thumbnail'),
          is_nsfw: model.isNsfw,
        };
      }
      const ownName = () =>
        telegramId === undefined ? undefined : names.find(telegramId, modelId);
      const name = (await findServiceName(modelId)) ?? (await ownName());
      if (name === undefined) {
        throw new AppError('model_not_found');
      }
      return { name };
    },

    addNames: (telegramId, models) => names.add(telegramId, models, clock()),
  };
}

function toNode(
  model: CatalogueModel,
  coverUrl: (id: string, variant: 'public' | 'thumbnail') => string,
) {
  const { id, versionId, title, type, isNsfw, likedCount, refCount, commentCount } = model;
  const when = new Date(model.createdAt).toISOString();
  return {
    id,
    title,
    type,
    category: 'built-in',
    extra: {},
    createdAt: when,
    updatedAt: when,
    isNsfw,
    isDownloadable: false,
    isPrivate: false,
    likedCount,
    liked: false,
    refCount,
    commentCount,
    media: {
      urls: [
        { variant: 'PUBLIC', url: coverUrl(id, 'public') },
        { variant: 'THUMBNAIL', url: coverUrl(id, 'thumbnail') },
      ],
      width: model.cover.width,
      height: model.cover.height,
    },
    tags: model.tags.map((name) => ({ name })),
    latestAvailableVersion: {
      id: versionId,
      name: 'v1',
      status: 'published',
      downloadUrl: null,
      extra: { triggerWords: model.triggerWords },
    },
  };
}

const orders = {
  trending: (model: CatalogueModel) => model.trend,
  newest: (model: CatalogueModel) => model.createdAt,
  liked: (model: CatalogueModel) => model.likedCount,
  used: (model: CatalogueModel) => model.refCount,
} as const;
type Order = keyof typeof orders;

/** Ties are sorted by ID, so that pages never overlap. */
const sorted = Object.fromEntries(
  Object.entries(orders).map(([order, rank]) => [
    order,
    catalogue.toSorted((a, b) => rank(b) - rank(a) || Number(a.id) - Number(b.id)),
  ]),
);

/** PixAI's feeds and orders. */
function readOrder({ feed, orderBy }: ModelQuery): Order {
  if (feed === 'latest' || orderBy === '-createdAt') {
    return 'newest';
  }
  if (orderBy === '-markInfo.refCount') {
    return 'used';
  }
  return feed === 'trending' || feed === undefined ? 'trending' : 'liked';
}

/** An ID matches best, then the beginning of a name, then any part of it, then a tag. */
function searchCatalogue(keyword: string): readonly CatalogueModel[] {
  const term = keyword.trim().toLowerCase();
  const getRank = ({ id, versionId, title, tags, triggerWords }: CatalogueModel) => {
    const name = title.toLowerCase();
    if (id === term || versionId === term) {
      return 4;
    }
    if (name.startsWith(term)) {
      return 3;
    }
    const isNamed = name.includes(term);
    return isNamed ? 2 : Number([...tags, ...triggerWords].some((word) => word.includes(term)));
  };
  return catalogue
    .map((model) => ({ model, rank: getRank(model) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank || b.model.likedCount - a.model.likedCount)
    .map(({ model }) => model);
}

const cursorText = v.pipe(v.string(), v.regex(/^\d{10,20}$/));

/** Returns the ID of the last model of the page before. Throws `invalid_cursor`. */
function readCursor(cursor: string): string {
  const parsed = v.safeParse(cursorText, Buffer.from(cursor, 'base64url').toString('utf8'));
  if (!parsed.success) {
    throw new AppError('invalid_cursor');
  }
  return parsed.output;
}

/** Throws `invalid_cursor`. */
function readPage(query: ModelQuery) {
  const { keyword, after, first } = query;
  const found =
    keyword === undefined ? (sorted[readOrder(query)] ?? catalogue) : searchCatalogue(keyword);
  let start = 0;
  if (after !== undefined && after !== null) {
    const last = readCursor(after);
    start = found.findIndex(({ id }) => id === last) + 1;
    if (start === 0) {
      throw new AppError('invalid_cursor');
    }
  }
  const models = found.slice(start, start + first);
  return { models, hasNextPage: start + models.length < found.length };
}
