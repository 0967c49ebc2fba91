/** MidJourney on the wire. */
import { type Hono } from 'hono';

import {
  downloadMidjourney,
  generateMidjourney,
  listMidjourneyHistory,
} from '#contract/endpoints/midjourney';
import { defaultRatio, ratioNames } from '#contract/images/ratios';
import { type AppEnv } from '#server/http/app-env';
import { on, onFile } from '#server/http/on';
import { requireRequester, requireTelegramId } from '#server/http/requests';
import { telegramWeb } from '#server/http/security-headers';
import { limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';
import { type HubPictures } from '#services/images';

import { recipeOf } from './recipe.ts';

export function addMidjourneyRoutes(
  app: Hono<AppEnv>,
  {
    hubPictures,
    pictureDownloads,
    limiter,
  }: Pick<Services, 'hubPictures' | 'pictureDownloads' | 'limiter'>,
): void {
  on(app, generateMidjourney, async ({ prompt, job_key: key }, c) => {
    const recipe = recipeOf({ prompt, ratio: ratioIn(prompt) });
    const made = await hubPictures.make(
      { key, provider: 'midjourney', recipe },
      requireRequester(c),
    );
    const { engine, isKept } = made;
    return { ...wireOf(made), is_saved: isKept, ...(engine === undefined ? {} : { engine }) };
  });

  on(app, listMidjourneyHistory, async (_input, c) => ({
    generations: (await hubPictures.list(requireTelegramId(c), 'midjourney')).map(wireOf),
  }));

  onFile(app, downloadMidjourney, async ({ url }, c) => {
    await limiter.take(limits.addressDownloads, c.get('address'));
    const { bytes, type, name } = await pictureDownloads.read(url, new URL(c.req.url).host);
    // Nothing in it may do anything, wherever it came from.
    c.header('Content-Security-Policy', "default-src 'none'; sandbox");
    if (c.req.header('Origin') === telegramWeb) {
      c.header('Access-Control-Allow-Origin', telegramWeb);
    }
    return { bytes, type, headers: { 'Content-Disposition': `attachment; filename="${name}"` } };
  });
}

function wireOf(made: HubPictures) {
  return {
    id: made.id,
    prompt: made.recipe.prompt,
    s3_urls: [...made.images],
    ...(made.thumbnails.length === 0 ? {} : { thumbnail_urls: made.thumbnails }),
    ...made.size,
    created_at: new Date(made.createdAt).toISOString(),
    job_key: made.jobKey,
  };
}

/** The shape that a prompt asks for in the way of this provider, such as `--ar 3:2`. */
function ratioIn(prompt: string) {
  const asked = /--(?:ar|aspect)\s+(\d{1,2}:\d{1,2})(?!\S)/.exec(prompt)?.[1];
  return ratioNames.find((name) => name === asked) ?? defaultRatio;
}
