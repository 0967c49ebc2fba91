/** The image providers besides Pix-AI: making pictures, the history of a user, and the styles of Kusa. */
import { type Hono } from 'hono';

import { listImagineHistory, saveImagine } from '#contract/endpoints/imagine';
import { listKusaStyles } from '#contract/endpoints/kusa';
import {
  deleteMidjourney,
  downloadMidjourney,
  generateMidjourney,
  listMidjourneyHistory,
} from '#contract/endpoints/midjourney';
import { defaultRatio, type RatioName, ratioNames } from '#contract/images/ratios';
import { type AppEnv } from '#server/http/app-env';
import { on, onFile, onUser } from '#server/http/on';
import { requireRequester, requireTelegramId, requireUser } from '#server/http/requests';
import { telegramWeb } from '#server/http/security-headers';
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';
import { type GenerationResult, kusaPictureVersion, toRecipe } from '#services/images';

import { sendPublicPicture } from './models.ts';

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

export function addMidjourneyRoutes(
  app: Hono<AppEnv>,
  {
    generations,
    generationResults,
    pictureDownloads,
    limiter,
  }: Pick<Services, 'generations' | 'generationResults' | 'pictureDownloads' | 'limiter'>,
): void {
  on(app, generateMidjourney, async ({ prompt, job_key: key }, c) => {
    const recipe = toRecipe({ prompt, ratio: readRatio(prompt) });
    const request = { key, provider: 'midjourney', recipe } as const;
    const result = await generationResults.make(request, requireRequester(c));
    const { engine, isSaved } = result;
    return {
      ...toMidjourneyItem(result),
      is_saved: isSaved,
      ...(engine === undefined ? {} : { engine }),
    };
  });

  onUser(app, listMidjourneyHistory, async (_input, c) => ({
    generations: (await generationResults.list(requireTelegramId(c), 'midjourney')).map(
      toMidjourneyItem,
    ),
  }));

  onUser(app, deleteMidjourney, ({ id }, c) =>
    generations.remove(requireTelegramId(c), id, 'midjourney'),
  );

  onFile(app, downloadMidjourney, async ({ url, recipe }, c) => {
    await limiter.take(limits.addressDownloads, c.get('address'));
    const { bytes, type, name } = await pictureDownloads.read(url, new URL(c.req.url).host, {
      keepsRecipe: recipe !== 'none',
    });
    // The file comes from another host, so it may not run or load anything.
    c.header('Content-Security-Policy', "default-src 'none'; sandbox");
    if (c.req.header('Origin') === telegramWeb) {
      c.header('Access-Control-Allow-Origin', telegramWeb);
    }
    return { bytes, type, headers: { 'Content-Disposition': `attachment; filename="${name}"` } };
  });
}

function toMidjourneyItem(result: GenerationResult) {
  return {
    id: result.id,
    prompt: result.recipe.prompt,
    s3_urls: [...result.images],
    ...(result.thumbnails.length === 0 ? {} : { thumbnail_urls: result.thumbnails }),
    ...result.size,
    created_at: new Date(result.createdAt).toISOString(),
    job_key: result.jobKey,
  };
}

/** The ratio in a MidJourney prompt, such as `--ar 3:2`. */
function readRatio(prompt: string): RatioName {
  const requested = /--(?:ar|aspect)\s+(\d{1,2}:\d{1,2})(?!\S)/.exec(prompt)?.[1];
  return ratioNames.find((name) => name === requested) ?? defaultRatio;
}

export function addKusaRoutes(
  app: Hono<AppEnv>,
  { kusa, limiter }: Pick<Services, 'kusa' | 'limiter'>,
): void {
  on(app, listKusaStyles, async (_input, c) => {
    await limiter.take(limits.addressStyles, c.get('address'));
    return { styles: { styles: [...(await kusa.list())] } };
  });

  app.get('/media/kusa/:version/:file', async (c) => {
    const [, id = ''] = /^(\d{1,4})\.webp$/.exec(c.req.param('file')) ?? [];
    const isCurrent = c.req.param('version') === kusaPictureVersion;
    return sendPublicPicture(c, isCurrent ? await kusa.picture(id) : undefined);
  });
}
