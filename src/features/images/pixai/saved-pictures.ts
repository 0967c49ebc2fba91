/** A user's saved Pix-AI pictures on the server: reading them, and saving what the server does not have. */
import * as v from 'valibot';

import {
  listGenerations,
  readSavedGeneration,
  type SavedGeneration,
  saveGeneration,
} from '#contract/endpoints/generations';
import { ratioNames } from '#contract/images/ratios';
import { ApiError, call } from '#lib/api';
import { getSession } from '#lib/session';

import { deleteAfterSave, isDeletedBeforeSave } from '../shared/deletion.ts';
import { hasJobs } from '../shared/generation-request.ts';
import { readOriginal } from '../shared/pictures.ts';
import { loraWeights } from '../shared/recipe.ts';
import { changeRecord, type GenerationRecord, savedId } from '../shared/records.ts';

/** Newest first. Throws `ApiError`. */
export async function listSavedPictures(
  telegramId: string | undefined,
  signal: AbortSignal,
): Promise<readonly GenerationRecord[]> {
  const { generations } = await call(listGenerations, {}, signal);
  return generations
    .flatMap((item) => readSavedGeneration(item) ?? [])
    .map((item) => toRecord(item, telegramId));
}

function toRecord(item: SavedGeneration, owner: string | undefined): GenerationRecord {
  const ratio = v.safeParse(v.picklist(ratioNames), item.ratio);
  return {
    provider: 'pixai',
    id: savedId(item.id),
    remoteId: item.id,
    status: readStatus(item),
    timestamp: item.timestamp ?? 0,
    prompt: item.prompt,
    negativePrompt: item.negativePrompt,
    modelId: item.modelId,
    modelName: item.modelName,
    seed: item.seed,
    ratio: ratio.success ? ratio.output : '1:1',
    nsfw: item.nsfw,
    loras: Object.entries(item.loras).map(([id, weight]) => ({
      id,
      percentage: Math.round(weight * 1000) / 10,
      unit: 'percent',
    })),
    imageUrl: item.imageUrl,
    thumbnailUrl: item.thumbnailUrl,
    width: item.width,
    height: item.height,
    tags: [...item.tags],
    owner,
    jobKey: item.jobKey,
  };
}

function readStatus({ status, imageUrl }: SavedGeneration): GenerationRecord['status'] {
  if (imageUrl === undefined) {
    return status === 'pending' ? 'pending' : 'error';
  }
  return 'completed';
}

/**
 * Uploads a picture to backends that do not save pictures when they make them. Our own server does;
 * here the upload covers pictures that it had no room for, and records of earlier versions. Refusals are
 * ignored; the upload is repeated when the history is read the next time.
 */
export async function savePicture(record: GenerationRecord): Promise<void> {
  const session = getSession();
  if (session.status !== 'member' || record.owner !== session.telegramId) {
    return;
  }
  const file = await readOriginal(record.id);
  if (!file) {
    return;
  }
  try {
    const jobKey = (await hasJobs()) ? record.jobKey : undefined;
    const saved = await call(saveGeneration, { ...toForm(record, file), job_key: jobKey });
    if (!saved) {
      return;
    }
    const facts = {
      remoteId: saved.id,
      imageUrl: saved.image_url ?? record.imageUrl,
      thumbnailUrl: saved.thumbnail_url ?? record.thumbnailUrl,
    };
    if (isDeletedBeforeSave(record)) {
      await deleteAfterSave({ deletesOnServer: true }, { ...record, ...facts });
    } else {
      changeRecord(record.id, facts);
    }
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
  }
}

/** Fields that are undefined are not sent. */
function toForm(record: GenerationRecord, file: Blob) {
  const loras = loraWeights(record.loras);
  return {
    model_id: record.modelId,
    prompt: record.prompt,
    image: new File([file], 'generation.png', { type: file.type }),
    negative_prompt: record.negativePrompt || undefined,
    seed: record.seed,
    ratio: record.ratio,
    nsfw: String(record.nsfw),
    model_name: record.modelName || undefined,
    loras: Object.keys(loras).length === 0 ? undefined : JSON.stringify(loras),
    tags: JSON.stringify(record.tags),
  };
}
