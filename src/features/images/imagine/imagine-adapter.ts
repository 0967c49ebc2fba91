/** How Imagine Art makes pictures: one from each wish, in a style, saved by the same call. */
import * as v from 'valibot';

import { listImagineHistory, saveImagine } from '#contract/endpoints/imagine';
import { imagineStyles } from '#contract/images/imagine-styles';
import { ApiError, call } from '#lib/api';
import { fetchFile } from '#lib/fetch-file';

import { modelAndTime } from '../shared/download-picture.ts';
import { type Made, type ProviderAdapter } from '../shared/provider-adapter.ts';
import { type Recipe } from '../shared/recipe.ts';
import { readSavedUrls } from '../shared/saved-urls.ts';
import { parseSeed } from '../shared/seed.ts';
import { whereKept } from '../shared/where-kept.ts';
import { imagineFailures } from './kit-texts.ts';

export const imagineAdapter: ProviderAdapter = {
  id: 'imagine-art',
  tag: 'imagine',
  hasPlaceholders: true,
  ask,
  sayFailure,
  list: async (telegramId, signal) => {
    if (telegramId === undefined) {
      return [];
    }
    const { history } = await call(listImagineHistory, { user_id: telegramId }, signal);
    return history.flatMap((item) => readSavedUrls(item, { provider: 'imagine-art', telegramId }));
  },
  fileName: modelAndTime,
  deletesThere: true,
};

async function ask(recipe: Recipe, jobKey: string): Promise<Made> {
  const made = await call(saveImagine, {
    prompt: recipe.prompt,
    style: v.parse(v.picklist(imagineStyles), recipe.style),
    aspect_ratio: recipe.ratio,
    seed: recipe.seed,
    job_key: jobKey,
  });
  const seed = parseSeed(made.seed ?? '');
  return {
    files: [await fetchFile(made.image_url)],
    facts: {
      ...whereKept(made),
      imageUrl: made.image_url,
      ...(seed === '' ? {} : { seed }),
      ...(made.engine === undefined ? {} : { engine: made.engine }),
    },
  };
}

function sayFailure(error: unknown): string {
  if (error instanceof ApiError && error.code === 'unreadable') {
    return imagineFailures.withoutReason;
  }
  if (error instanceof ApiError && error.status > 0) {
    const said = imagineFailures.withStatus(error.status);
    return error.detail === undefined ? said : `${said}\n${error.detail}`;
  }
  return (error instanceof Error && error.message) || imagineFailures.unexpected;
}
