import { type Dependencies } from '#server/app/dependencies';
/** The models that pictures can be made with: the image service's, or the built-in ones. */
import { createModelNameRepository } from '#server/db/model-names';
import { AppError } from '#server/lib/errors';
import { createMemoryCache } from '#server/lib/memory-cache';
import { type ModelService } from '#server/upstream/images/model-service';

import { coverVersion } from './covers.ts';
import { type CatalogueModel, findModel } from './model-catalogue/catalogue.ts';
import { type PageWish, readPage } from './model-catalogue/pages.ts';

/** What the service calls its models, in memory. */
const mostNames = 2000;
const nameLifetimeMs = 6 * 60 * 60_000;

/** A page as the wire has it. */
type WirePage = {
  readonly edges: readonly { readonly cursor: string; readonly node: unknown }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | undefined };
};

type ModelInfo = {
  readonly name: string;
  readonly type?: string;
  readonly trigger_words?: readonly string[];
  readonly cover_url?: string;
};

export type Models = {
  /** Throws `invalid_cursor`, or what the image service's failure means. */
  readonly list: (wish: PageWish) => Promise<WirePage>;
  readonly search: (wish: PageWish) => Promise<WirePage>;
  /** Throws `model_not_found`. */
  readonly info: (modelId: string) => Promise<ModelInfo>;
  /** Remembers names for a while, for models that nobody better can name. Answers how many were new. */
  readonly learn: (
    models: readonly { readonly modelId: string; readonly name: string }[],
  ) => Promise<number>;
};

/** `service` is absent while no image service is connected. */
export function createModels(
  { database: { db }, env, clock }: Pick<Dependencies, 'database' | 'env' | 'clock'>,
  service: ModelService | undefined,
): Models {
  const names = createModelNameRepository(db);
  const serviceNames = createMemoryCache<string | undefined>({
    max: mostNames,
    lifetimeMs: nameLifetimeMs,
    clock,
  });
  const coverUrl = (id: string, variant: string) =>
    `${env.publicUrl ?? ''}/backend/media/covers/${coverVersion}/${id}-${variant}.webp`;

  function pageOf(wish: PageWish): WirePage {
    const { models, hasNextPage } = readPage(wish);
    return {
      edges: models.map(({ model, cursor }) => ({ cursor, node: nodeOf(model, coverUrl) })),
      pageInfo: { hasNextPage, endCursor: models.at(-1)?.cursor },
    };
  }

  /** Asked once in a while. That nobody knew is not remembered: the service may have been down. */
  async function nameOfService(modelId: string): Promise<string | undefined> {
    const name = await serviceNames.get(modelId, async () => service?.nameOf(modelId));
    if (name === undefined) {
      serviceNames.forget(modelId);
    }
    return name;
  }

  return {
    list: async (wish) => service?.list(wish) ?? pageOf({ ...wish, keyword: undefined }),

    search: async (wish) =>
      service?.search(wish) ?? pageOf({ ...wish, keyword: wish.keyword ?? '' }),

    info: async (modelId) => {
      const model = service ? undefined : findModel(modelId);
      if (model) {
        return {
          name: model.title,
          type: model.type,
          trigger_words: model.triggerWords,
          cover_url: coverUrl(model.id, 'thumbnail'),
        };
      }
      // What people tell is seen by everybody: it only fills what the service leaves open.
      const name = (await nameOfService(modelId)) ?? (await names.find(modelId));
      if (name === undefined) {
        throw new AppError('model_not_found');
      }
      return { name };
    },

    learn: (models) => names.learn(models, clock()),
  };
}

function nodeOf(
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
