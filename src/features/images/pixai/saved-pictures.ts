/** A user's saved Pix-AI pictures on the server: reading them, and saving what the server does not have. */
import * as v from 'valibot';

import { type Answer } from '#contract/endpoints/endpoint';
import {
  listGenerations,
  readSavedGeneration,
  type SavedGeneration,
  saveGeneration,
} from '#contract/endpoints/generations';
import { ratioNames } from '#contract/images/ratios';
import { ApiError, call } from '#lib/api';
import { noticeMs, useNotices } from '#lib/notices';
import { getSession } from '#lib/session';

import { deleteAfterSave, isDeletedBeforeSave } from '../shared/deletion.ts';
import { hasJobs } from '../shared/generation-request.ts';
import { readOriginal } from '../shared/pictures.ts';
import { loraWeights } from '../shared/recipe.ts';
import {
  changeRecord,
  type GenerationRecord,
  getRecords,
  loadRecords,
  savedId,
} from '../shared/records.ts';
import { pictureTexts } from '../shared/texts.ts';

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

/** The ids of the records that this page uploads, and of those whose upload will always be refused. */
const uploading = new Set<string>();
const refused = new Set<string>();
/** The reasons that the user knows. */
const told = new Set<string>();

/** Statuses with which a later try may succeed. */
const temporaryStatuses: ReadonlySet<number> = new Set([401, 403, 408, 409, 413, 425, 429]);

/**
 * Uploads a picture to backends that do not save pictures when they make them. Our own server does;
 * here the upload covers pictures that it had no room for, and records of earlier versions. What the
 * server has taken is never uploaded again, whatever it answers. After a refusal that may be temporary
 * the upload is repeated when the history is read the next time.
 */
export async function savePicture({ id }: GenerationRecord): Promise<void> {
  if (uploading.has(id) || refused.has(id)) {
    return;
  }
  uploading.add(id);
  try {
    // Absent in old web views, where the app is open only once.
    const locks: LockManager | undefined = navigator.locks;
    await (locks ? locks.request(`nori-upload-${id}`, () => upload(id)) : upload(id));
  } finally {
    uploading.delete(id);
  }
}

async function upload(id: string): Promise<void> {
  // Another tab may have uploaded it.
  loadRecords();
  const record = getRecords().find((one) => one.id === id && !isOnServer(one));
  const file = record && (await readOriginal(id));
  // The user may have logged out meanwhile.
  if (!record || !file || !isMine(record)) {
    return;
  }
  changeRecord(id, { uploadedAt: Date.now() });
  try {
    const jobKey = (await hasJobs()) ? record.jobKey : undefined;
    const form = { ...toForm(record, file), job_key: jobKey };
    await keepAnswer(record, await call(saveGeneration, form));
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    if (error.status > 0 && error.status < 500) {
      // The server surely has not taken it.
      changeRecord(id, { uploadedAt: undefined });
      if (!temporaryStatuses.has(error.status)) {
        refused.add(id);
      }
    }
    tellWhyNotSaved(error);
  }
}

/** Says once on this page what keeps pictures from being saved, if the user can do something about it. */
function tellWhyNotSaved({ status, code, detail }: ApiError): void {
  const isForUser = status === 413 || status === 507 || code === 'too_many_pictures';
  if (!isForUser || detail === undefined || told.has(detail)) {
    return;
  }
  told.add(detail);
  useNotices.getState().show({
    id: 'picture-not-saved',
    tone: 'warning',
    text: pictureTexts.staysHere(detail),
    durationMs: noticeMs.long,
  });
}

async function keepAnswer(
  record: GenerationRecord,
  { id: remoteId, image_url: imageUrl, thumbnail_url: thumbnailUrl }: Answer<typeof saveGeneration>,
): Promise<void> {
  const facts = {
    remoteId,
    imageUrl: imageUrl ?? record.imageUrl,
    thumbnailUrl: thumbnailUrl ?? record.thumbnailUrl,
    isTaken: true,
  };
  if (isDeletedBeforeSave(record)) {
    await deleteAfterSave({ ...record, ...facts });
  } else {
    changeRecord(record.id, facts);
  }
}

/** Also when the server has not told its id. */
function isOnServer({ remoteId, isTaken }: GenerationRecord): boolean {
  return remoteId !== undefined || isTaken === true;
}

/** Whether the record belongs to the session. */
function isMine({ owner }: GenerationRecord): boolean {
  const session = getSession();
  return session.status === 'member' && owner === session.telegramId;
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
