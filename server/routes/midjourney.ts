/** Pictures of MidJourney: making them, the history of a user, and downloads. */
import { type Hono } from 'hono';

import {
  deleteMidjourney,
  downloadMidjourney,
  generateMidjourney,
  listMidjourneyHistory,
} from '#contract/endpoints/midjourney';
import { defaultRatio, type RatioName, ratioNames } from '#contract/images/ratios';
import { type AppEnv } from '#server/http/app-env';
import { on, onFile, onUser } from '#server/http/on';
import { requireRequester, requireTelegramId } from '#server/http/requests';
import { telegramWeb } from '#server/http/security-headers';
import { limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';
import { type GenerationResult, toRecipe } from '#services/images';

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

  onFile(app, downloadMidjourney, async ({ url }, c) => {
    await limiter.take(limits.addressDownloads, c.get('address'));
    const { bytes, type, name } = await pictureDownloads.read(url, new URL(c.req.url).host);
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
