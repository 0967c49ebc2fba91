/** Models on the wire: pages of them as GraphQL, what one is called, and covers. */
import { type Hono } from 'hono';

import { readModelInfo, updateModelCache } from '#contract/endpoints/generations';
import { queryModels } from '#contract/endpoints/models';
import { type AppEnv } from '#server/http/app-env';
import { answerPublicPicture, on } from '#server/http/on';
import { requireTelegramId } from '#server/http/requests';
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';
import { coverVariants, coverVersion } from '#services/images';

export function addModelRoutes(
  app: Hono<AppEnv>,
  { models, covers, limiter }: Pick<Services, 'models' | 'covers' | 'limiter'>,
): void {
  on(app, queryModels, async ({ operation, variables }, c) => {
    await limiter.take(limits.addressModelPages, c.get('address'));
    try {
      const generationModels = await (operation === 'searchGenerationModels'
        ? models.search(variables)
        : models.list(variables));
      return {
        data: { generationModels: { ...generationModels, edges: [...generationModels.edges] } },
      };
    } catch (error) {
      if (error instanceof AppError) {
        // GraphQL tells failures in an answer that is fine otherwise.
        return { data: null, errors: [{ message: error.detail }] };
      }
      throw error;
    }
  });

  on(app, readModelInfo, async ({ model_id }, c) => {
    await limiter.take(limits.addressModelPages, c.get('address'));
    const { trigger_words, ...info } = await models.info(model_id);
    return { ...info, ...(trigger_words ? { trigger_words: [...trigger_words] } : {}) };
  });

  on(app, updateModelCache, async ({ models: told }, c) => {
    // Everybody sees these names, so that only people with an account may give them.
    await limiter.take(limits.modelNames, requireTelegramId(c));
    return { status: 'ok', updated: await models.learn(told) };
  });

  app.get('/media/covers/:version/:file', async (c) => {
    const [, id = '', variantName] =
      /^(\d+)-(public|thumbnail)\.webp$/.exec(c.req.param('file')) ?? [];
    const variant = coverVariants.find((one) => one === variantName);
    const bytes =
      variant === undefined || c.req.param('version') !== coverVersion
        ? undefined
        : await covers.read(id, variant);
    if (!bytes) {
      throw new AppError('not_found');
    }
    return answerPublicPicture(c, bytes);
  });
}
