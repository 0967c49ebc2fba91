/** Makes pictures by Pix-AI: one per generation, by a model and its LoRAs. */
import { updateGeneration, updateModelCache } from '#contract/endpoints/generations';
import { generate, generateWithLoras } from '#contract/endpoints/images';
import { guidanceScale } from '#contract/images/limits';
import { ApiError, call } from '#lib/api';

import { generationDeletion } from '../shared/deletion.ts';
import { modelAndTime } from '../shared/download-picture.ts';
import { logFailure } from '../shared/log-failure.ts';
import {
  type MadePictures,
  type ProviderAdapter,
  type RecordPair,
} from '../shared/provider-adapter.ts';
import { loraWeights, type Recipe } from '../shared/recipe.ts';
import { changeRecord } from '../shared/records.ts';
import { failureTexts } from '../shared/texts.ts';
import { fetchModelName } from './generator/model-info.ts';
import { listSavedPictures, savePicture } from './saved-pictures.ts';

export const pixaiAdapter: ProviderAdapter = {
  id: 'pixai',
  tag: 'pixai',
  hasPlaceholders: false,
  requestPictures,
  lookUp,
  describeFailure,
  list: listSavedPictures,
  save: savePicture,
  syncDetails: sendModelNames,
  fileName: modelAndTime,
  deletion: generationDeletion,
};

async function requestPictures(recipe: Recipe, jobKey: string | undefined): Promise<MadePictures> {
  const loras = loraWeights(recipe.loras);
  const body = {
    prompt: recipe.prompt,
    model_id: recipe.modelId,
    negative_prompt: recipe.negativePrompt,
    seed: recipe.seed ?? '',
    nsfw: recipe.nsfw,
    ratio: recipe.ratio,
    scale: guidanceScale,
    is_direct_image: true,
    job_key: jobKey,
  };
  const { blob, headers } =
    Object.keys(loras).length === 0
      ? await call(generate, body)
      : await call(generateWithLoras, { ...body, loras });
  const {
    'x-nori-seed': seed,
    'x-nori-engine': engine,
    'x-nori-generation': remoteId,
    'x-nori-image-url': imageUrl,
    'x-nori-thumbnail-url': thumbnailUrl,
  } = headers;
  return {
    files: [blob],
    facts: { seed, engine, ...(remoteId !== undefined && { remoteId, imageUrl, thumbnailUrl }) },
  };
}

/** The name of a model whose ID was typed; empty when the server does not know it. */
async function lookUp({ modelId, modelName }: Recipe): Promise<{ modelName?: string }> {
  return modelName === '' ? { modelName: (await fetchModelName(modelId)) ?? '' } : {};
}

function describeFailure(error: unknown): string {
  if (error instanceof ApiError && error.status > 0) {
    const text = failureTexts.httpError(error.status);
    return error.detail === undefined ? text : `${text}\n${error.detail}`;
  }
  return failureTexts.startFailed(error instanceof Error ? error.message : String(error));
}

/**
 * Sends the server the model names that only this device knows, so that every device has them. Once, as
 * some servers do not keep them.
 */
async function sendModelNames(pairs: readonly RecordPair[]): Promise<void> {
  const unsent = pairs.flatMap(
    ({ local: { id, modelName, isNameSent }, remote: { modelId, remoteId, ...remote } }) =>
      remote.modelName === '' && modelName !== '' && remoteId !== undefined && isNameSent !== true
        ? [{ id, modelId, modelName, remoteId }]
        : [],
  );
  if (unsent.length === 0) {
    return;
  }
  for (const { id } of unsent) {
    changeRecord(id, { isNameSent: true });
  }
  const names = new Map(unsent.map(({ modelId, modelName }) => [modelId, modelName]));
  const models = [...names].map(([modelId, name]) => ({ modelId, name }));
  await Promise.all([
    logRefusal('Failed to update model cache', call(updateModelCache, { models })),
    ...unsent.map(async ({ id, remoteId, modelName }) => {
      const request = call(updateGeneration, { id: remoteId, model_name: modelName });
      if ((await logRefusal('Failed to update generations', request)) === 'lost') {
        changeRecord(id, { isNameSent: undefined });
      }
    }),
  ]);
}

/** Resolves to `lost` when the server has not answered. */
async function logRefusal(what: string, request: Promise<unknown>): Promise<'answered' | 'lost'> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    logFailure(what, error);
    return error.status === 0 ? 'lost' : 'answered';
  }
  return 'answered';
}
