/** Makes pictures by Imagine Art: one per generation, in a style. The server saves it by the same call. */
import * as v from 'valibot';

import { listImagineHistory, saveImagine } from '#contract/endpoints/imagine';
import { imagineStyles } from '#contract/images/imagine-styles';
import { ApiError, call } from '#lib/api';
import { fetchFile } from '#lib/fetch-file';

import { generationDeletion } from '../shared/deletion.ts';
import { modelAndTime } from '../shared/download-picture.ts';
import { type MadePictures, type ProviderAdapter } from '../shared/provider-adapter.ts';
import { parseSeed, type Recipe } from '../shared/recipe.ts';
import { getRemoteId, readSavedRecord } from '../shared/saved-records.ts';

export const imagineAdapter: ProviderAdapter = {
  id: 'imagine-art',
  tag: 'imagine',
  hasPlaceholders: true,
  requestPictures,
  describeFailure,
  list: async (telegramId, signal) => {
    if (telegramId === undefined) {
      return [];
    }
    const { history } = await call(listImagineHistory, { user_id: telegramId }, signal);
    return history.flatMap((item) =>
      readSavedRecord(item, { provider: 'imagine-art', telegramId }),
    );
  },
  fileName: modelAndTime,
  deletion: generationDeletion,
};

async function requestPictures(recipe: Recipe, jobKey: string | undefined): Promise<MadePictures> {
  const made = await call(saveImagine, {
    prompt: recipe.prompt,
    style: v.parse(v.picklist(imagineStyles), recipe.style),
    aspect_ratio: recipe.ratio,
    seed: recipe.seed,
    job_key: jobKey,
  });
  return {
    files: [await fetchFile(made.image_url)],
    facts: {
      remoteId: getRemoteId(made),
      imageUrl: made.image_url,
      seed: parseSeed(made.seed ?? '') || undefined,
      engine: made.engine,
    },
  };
}

function describeFailure(error: unknown): string {
  if (error instanceof ApiError && error.code === 'unreadable') {
    return 'Generation failed.';
  }
  if (error instanceof ApiError && error.status > 0) {
    const text = `Generation failed with status: ${error.status}`;
    return error.detail === undefined ? text : `${text}\n${error.detail}`;
  }
  return (error instanceof Error && error.message) || 'An error occurred during generation.';
}
