/** Imagine Art on the wire. */
import { type Hono } from 'hono';

import { listImagineHistory, saveImagine } from '#contract/endpoints/imagine';
import { type AppEnv } from '#server/http/app-env';
import { on } from '#server/http/on';
import { requireRequester, requireUser } from '#server/http/requests';
import { AppError } from '#server/lib/errors';
import { type Services } from '#server/services/services';
import { type HubPictures } from '#services/images';

import { recipeOf } from './recipe.ts';

export function addImagineRoutes(
  app: Hono<AppEnv>,
  { hubPictures }: Pick<Services, 'hubPictures'>,
): void {
  on(app, saveImagine, async ({ prompt, style, aspect_ratio: ratio, seed, job_key: key }, c) => {
    const recipe = recipeOf({ prompt, style, seed, ratio });
    return savedOf(
      await hubPictures.make({ key, provider: 'imagine-art', recipe }, requireRequester(c)),
    );
  });

  on(app, listImagineHistory, async ({ user_id }, c) => {
    const { telegramId } = requireUser(c);
    if (user_id !== String(telegramId)) {
      throw new AppError('foreign_person');
    }
    return { history: (await hubPictures.list(telegramId, 'imagine-art')).map(listedOf) };
  });
}

function savedOf(made: HubPictures) {
  const { recipe, size, isKept, engine } = made;
  return {
    id: made.id,
    image_url: made.images[0],
    ...(made.thumbnails[0] === undefined ? {} : { thumbnail_url: made.thumbnails[0] }),
    ...size,
    prompt: recipe.prompt,
    // A style is what this provider has instead of models.
    model_id: recipe.style,
    model_name: recipe.style,
    seed: Number(made.seed),
    ratio: recipe.ratio,
    nsfw: false,
    created_at: new Date(made.createdAt).toISOString(),
    tags: ['imagine'],
    style: recipe.style,
    is_saved: isKept,
    ...(engine === undefined ? {} : { engine }),
  };
}

function listedOf(made: HubPictures) {
  const { style, prompt, ratio } = made.recipe;
  return {
    _id: made.id,
    prompt,
    style,
    s3_url: made.images[0],
    thumbnail_url: made.thumbnails[0],
    ...made.size,
    created_at: new Date(made.createdAt).toISOString(),
    aspect_ratio: ratio,
    seed: Number(made.seed),
    job_key: made.jobKey,
  };
}
