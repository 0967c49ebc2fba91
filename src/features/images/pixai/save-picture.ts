/** Sends a member's finished pictures to the server, where they are safe from what happens to the device. */
import { saveGeneration } from '#contract/endpoints/generations';
import { ApiError, call } from '#lib/api';
import { getSession } from '#lib/session';

import { deleteAfterSave, isDeletedBeforeSave } from '../shared/deletion.ts';
import { readOriginal } from '../shared/pictures.ts';
import { loraWeights } from '../shared/recipe.ts';
import { changeRecord, type GenerationRecord } from '../shared/records.ts';

/**
 * Saves a picture that this device's member has made. What the server refuses is ignored, as the
 * specification has it; it is tried again when the history is read the next time.
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
    const saved = await call(saveGeneration, formOf(record, file));
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
function formOf(record: GenerationRecord, file: Blob) {
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
    job_key: record.jobKey,
  };
}
