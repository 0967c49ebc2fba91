/** Pictures of Imagine Art: making them, and the history of a user. */
import { type Hono } from 'hono';

import { listImagineHistory, saveImagine } from '#contract/endpoints/imagine';
import { type AppEnv } from '#server/http/app-env';
import { on, onUser } from '#server/http/on';
import { requireRequester, requireUser } from '#server/http/requests';
import { AppError } from '#server/lib/errors';
import { type Services } from '#server/services/services';
import { type GenerationResult, toRecipe } from '#services/images';

export function addImagineRoutes(
  app: Hono<AppEnv>,
  { generationResults }: Pick<Services, 'generationResults'>,
): void {
  on(app, saveImagine, async ({ prompt, style, aspect_ratio: ratio, seed, job_key: key }, c) => {
    const recipe = toRecipe({ prompt, style, seed, ratio });
    const request = { key, provider: 'imagine-art', recipe } as const;
    const result = await generationResults.make(request, requireRequester(c));
    return {
      id: result.id,
      image_url: result.images[0],
      ...(result.thumbnails[0] === undefined ? {} : { thumbnail_url: result.thumbnails[0] }),
      ...result.size,
      prompt: result.recipe.prompt,
      // This provider has styles instead of models.
      model_id: result.recipe.style,
      model_name: result.recipe.style,
      seed: Number(result.seed),
      ratio: result.recipe.ratio,
      nsfw: false,
      created_at: new Date(result.createdAt).toISOString(),
      tags: ['imagine'],
      style: result.recipe.style,
      is_saved: result.isSaved,
      ...(result.engine === undefined ? {} : { engine: result.engine }),
    };
  });

  onUser(app, listImagineHistory, async ({ user_id }, c) => {
    const { telegramId } = requireUser(c);
    if (user_id !== String(telegramId)) {
      throw new AppError('foreign_person');
    }
    const results = await generationResults.list(telegramId, 'imagine-art');
    return { history: results.map(toImagineItem) };
  });
}

function toImagineItem(result: GenerationResult) {
  return {
    _id: result.id,
    prompt: result.recipe.prompt,
    style: result.recipe.style,
    s3_url: result.images[0],
    thumbnail_url: result.thumbnails[0],
    ...result.size,
    created_at: new Date(result.createdAt).toISOString(),
    aspect_ratio: result.recipe.ratio,
    seed: Number(result.seed),
    job_key: result.jobKey,
  };
}
