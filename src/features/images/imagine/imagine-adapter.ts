/** Makes pictures by Imagine Art: one per generation, in a style. The server saves it by the same call. */
import * as v from 'valibot';

import { type Answer } from '#contract/endpoints/endpoint';
import { toEpochMs } from '#contract/endpoints/generations';
import { listImagineHistory, saveImagine } from '#contract/endpoints/imagine';
import { imagineStyles } from '#contract/images/imagine-styles';
import { ApiError, call } from '#lib/api';
import { fetchFile } from '#lib/fetch-file';

import { generationDeletion } from '../shared/deletion.ts';
import { modelAndTime } from '../shared/download-picture.ts';
import { type MadePictures, type ProviderAdapter } from '../shared/provider-adapter.ts';
import { parseSeed, type Recipe } from '../shared/recipe.ts';
import { getRemoteId, readSavedRecord } from '../shared/saved-records.ts';
import { failureTexts } from '../shared/texts.ts';

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
      ...readRecipe(made),
      remoteId: getRemoteId(made),
      imageUrl: made.image_url,
      thumbnailUrl: made.thumbnail_url,
      seed: parseSeed(made.seed ?? '') || undefined,
      engine: made.engine,
    },
  };
}

/** What the server says of the picture that it has made; it may differ from what was asked for. */
function readRecipe(made: Answer<typeof saveImagine>): MadePictures['facts'] {
  const timestamp = toEpochMs(made.created_at);
  return {
    ...(made.prompt !== undefined && { prompt: made.prompt }),
    ...(made.model_id !== undefined && { modelId: made.model_id }),
    ...(made.model_name !== undefined && { modelName: made.model_name }),
    ...(made.ratio !== undefined && { ratio: made.ratio }),
    ...(made.nsfw !== undefined && { nsfw: made.nsfw }),
    ...(made.tags !== undefined && { tags: made.tags }),
    ...(timestamp !== undefined && { timestamp }),
  };
}

function describeFailure(error: unknown): string {
  if (error instanceof ApiError && error.code === 'unreadable') {
    return failureTexts.failed;
  }
  if (error instanceof ApiError && error.status > 0) {
    const text = failureTexts.failedWith(error.status);
    return error.detail === undefined ? text : `${text}\n${error.detail}`;
  }
  return (error instanceof Error && error.message) || failureTexts.unknown;
}
