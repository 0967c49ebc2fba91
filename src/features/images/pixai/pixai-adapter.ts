/** How Pix-AI makes pictures: one from each wish, by a model and its LoRAs. */
import { generate, generateWithLoras } from '#contract/endpoints/images';
import { guidanceScale } from '#contract/images/limits';
import { ApiError, call } from '#lib/api';

import { modelAndTime } from '../shared/download-picture.ts';
import { pictureTexts } from '../shared/picture-texts.ts';
import { type Made, type ProviderAdapter } from '../shared/provider-adapter.ts';
import { loraWeights, type Recipe } from '../shared/recipe.ts';
import { fetchModelName } from './generator/model-info.ts';
import { nameSavedPictures } from './model-names.ts';
import { savePicture } from './save-picture.ts';
import { listSavedPictures } from './saved-pictures.ts';

export const pixaiAdapter: ProviderAdapter = {
  id: 'pixai',
  tag: 'pixai',
  hasPlaceholders: false,
  ask,
  lookUp,
  sayFailure,
  list: listSavedPictures,
  save: savePicture,
  tellServer: nameSavedPictures,
  fileName: modelAndTime,
  deletesThere: true,
};

async function ask(recipe: Recipe, jobKey: string): Promise<Made> {
  const loras = loraWeights(recipe.loras);
  const wish = {
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
      ? await call(generate, wish)
      : await call(generateWithLoras, { ...wish, loras });
  const { 'x-nori-seed': seed, 'x-nori-engine': engine } = headers;
  return { files: [blob], facts: { seed, engine } };
}

/** A model that was typed by its ID has no name yet; without one its ID is shown. */
async function lookUp({ modelId, modelName }: Recipe): Promise<{ modelName?: string }> {
  return modelName === '' ? { modelName: (await fetchModelName(modelId)) ?? '' } : {};
}

function sayFailure(error: unknown): string {
  if (error instanceof ApiError && error.status > 0) {
    const said = pictureTexts.httpError(error.status);
    return error.detail === undefined ? said : `${said}\n${error.detail}`;
  }
  return pictureTexts.startFailed(error instanceof Error ? error.message : String(error));
}
