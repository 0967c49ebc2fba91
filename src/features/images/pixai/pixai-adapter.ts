/** Makes pictures by Pix-AI: one per generation, by a model and its LoRAs. */
import * as v from 'valibot';

import { type Answer } from '#contract/endpoints/endpoint';
import {
  updateGeneration,
  updateModelCache,
  listGenerations,
  readSavedGeneration,
  type SavedGeneration,
  saveGeneration,
} from '#contract/endpoints/generations';
import { generate, generateWithLoras } from '#contract/endpoints/images';
import { guidanceScale } from '#contract/images/limits';
import { ratioNames } from '#contract/images/ratios';
import { ApiError, call } from '#lib/api';
import { noticeMs, useNotices } from '#lib/notices';
import { getSession } from '#lib/session';

import { generationDeletion, deleteAfterSave, isDeletedBeforeSave } from '../shared/deletion.ts';
import { modelAndTime } from '../shared/download-picture.ts';
import { hasJobs } from '../shared/generation-request.ts';
import { logFailure } from '../shared/log-failure.ts';
import { readOriginal } from '../shared/pictures.ts';
import {
  type MadePictures,
  type ProviderAdapter,
  type RecordPair,
} from '../shared/provider-adapter.ts';
import { loraWeights, type Recipe } from '../shared/recipe.ts';
import {
  changeRecord,
  type GenerationRecord,
  getRecords,
  loadRecords,
  savedId,
} from '../shared/records.ts';
import { failureTexts, pictureTexts } from '../shared/texts.ts';
import { fetchModelName } from './generator/model-info.ts';

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
    steps: recipe.steps,
    sampler: recipe.sampler,
    source: recipe.source && {
      generation_id: recipe.source.generationId,
      source_id: recipe.source.sourceId,
      mode: recipe.source.mode,
      strength: recipe.source.strength,
      mask_id: recipe.source.maskId,
    },
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

/** Newest first. Throws `ApiError`. */
async function listSavedPictures(
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
async function savePicture({ id }: GenerationRecord): Promise<void> {
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
