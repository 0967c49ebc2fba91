/** What the server keeps of a member's pictures by Pix-AI. */
import * as v from 'valibot';

import {
  listGenerations,
  readSavedGeneration,
  type SavedGeneration,
} from '#contract/endpoints/generations';
import { ratioNames } from '#contract/images/ratios';
import { call } from '#lib/api';

import { type GenerationRecord, savedId } from '../shared/records.ts';

/** Newest first. Throws `ApiError`. */
export async function listSavedPictures(
  telegramId: string | undefined,
  signal: AbortSignal,
): Promise<readonly GenerationRecord[]> {
  const { generations } = await call(listGenerations, {}, signal);
  return generations
    .flatMap((item) => readSavedGeneration(item) ?? [])
    .map((item) => asRecord(item, telegramId));
}

/** A picture of the server as a record; its id on this device is made of the server's. */
function asRecord(item: SavedGeneration, owner: string | undefined): GenerationRecord {
  const ratio = v.safeParse(v.picklist(ratioNames), item.ratio);
  return {
    provider: 'pixai',
    id: savedId(item.id),
    remoteId: item.id,
    status: statusOf(item),
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

function statusOf({ status, imageUrl }: SavedGeneration): GenerationRecord['status'] {
  if (imageUrl === undefined) {
    return status === 'pending' ? 'pending' : 'error';
  }
  return 'completed';
}
