/**
 * Makes pictures in the background. A pending record appears at once, and becomes completed or failed
 * when the answer comes; when the page is closed first, the next page goes on.
 */
import { create } from 'zustand';

import { getRatioSize } from '#contract/images/ratios';
import { holdClosing } from '#lib/closing';
import { noticeMs, useNotices } from '#lib/notices';
import { usePendingGenerations } from '#lib/pending';
import { getPlatform } from '#lib/platform';
import { getUserId, onUserLeft } from '#lib/session';

import {
  GenerationFailure,
  type GenerationRequest,
  makePictures,
  randomKey,
  recoverOrMakePictures,
  recoverPictures,
  type Waiting,
} from './generation-request.ts';
import { keepPicture, removePictures } from './pictures.ts';
import { type MadePictures, type ProviderAdapter } from './provider-adapter.ts';
import { type Recipe, toRecipe } from './recipe.ts';
import { isSamePicture } from './record-pairs.ts';
import {
  changeRecord,
  changeRecords,
  type GenerationRecord,
  getRecords,
  loadRecords,
  pictureId,
  savedId,
  setLatest,
} from './records.ts';
import { pictureTexts } from './texts.ts';

type StartedGeneration = {
  readonly record: GenerationRecord;
  /** Never rejects. */
  readonly settled: Promise<GenerationRecord>;
};

/** Starts a generation; its pending record is first in the list at once. */
export function startGeneration(adapter: ProviderAdapter, recipe: Recipe): StartedGeneration {
  return start({ adapter, recipe }, makePictures);
}

function start(
  { adapter, recipe, jobKey }: Pick<GenerationRequest, 'adapter' | 'recipe' | 'jobKey'>,
  make: (request: GenerationRequest) => Promise<MadePictures>,
): StartedGeneration {
  const record: GenerationRecord = {
    ...recipe,
    id: adapter.hasPlaceholders ? `temp-${randomKey()}` : randomKey(),
    status: 'pending',
    timestamp: Date.now(),
    tags: [adapter.tag],
    owner: getUserId(),
    jobKey,
  };
  const isStored = changeRecords((all) => [record, ...all]);
  if (!isStored) {
    useNotices.getState().show({
      id: 'history-storage',
      tone: 'warning',
      text: pictureTexts.historyFull,
      durationMs: noticeMs.long,
    });
  }
  void adapter.lookUp?.(recipe).then((facts) => changeRecord(record.id, facts));
  const end = countAsPending();
  const settled = runInOneTab(record, () => finish({ adapter, record }, make)).finally(end);
  return { record, settled };
}

/** Repeats a failed generation, or one whose picture is lost. An undecided one is recovered if possible. */
export function retryGeneration(
  adapter: ProviderAdapter,
  failed: GenerationRecord,
): StartedGeneration {
  changeRecords((all) => all.filter(({ id }) => id !== failed.id));
  const recipe = toRecipe(failed);
  if (failed.isUndecided !== true || failed.jobKey === undefined) {
    return startGeneration(adapter, recipe);
  }
  const lost = failed.error ?? pictureTexts.interrupted;
  return start({ adapter, recipe, jobKey: failed.jobKey }, (request) =>
    recoverOrMakePictures(request, lost),
  );
}

/** Goes on with the generations that an earlier page has left pending; those of another open tab wait for it. */
export function resumeGenerations(
  getAdapter: (record: GenerationRecord) => ProviderAdapter | undefined,
): void {
  for (const record of getRecords()) {
    const adapter = getAdapter(record);
    if (adapter && record.status === 'pending' && !running.has(record.id)) {
      void runInOneTab(record, () => resume({ adapter, record }));
    }
  }
}

type Task = { readonly adapter: ProviderAdapter; readonly record: GenerationRecord };

async function resume({ adapter, record }: Task): Promise<GenerationRecord> {
  // Another tab may have settled or deleted it.
  loadRecords();
  const current = getCurrent(record);
  if (current?.status !== 'pending') {
    return current ?? record;
  }
  const end = countAsPending();
  const task = { adapter, record: current };
  const settled = await finish(task, recoverPictures).finally(end);
  if (settled.status === 'error' && adapter.hasPlaceholders) {
    // The history does not show it, and the form that showed failures went with its page.
    useNotices.getState().show({
      id: `failed-${record.id}`,
      tone: 'error',
      text: pictureTexts.notMade(settled.error ?? ''),
      durationMs: noticeMs.long,
    });
  }
  return settled;
}

/** The ids of the records that this page works on. */
const running = new Set<string>();

/** Runs the work on a record when no other tab is doing it. */
async function runInOneTab(
  record: GenerationRecord,
  work: () => Promise<GenerationRecord>,
): Promise<GenerationRecord> {
  running.add(record.id);
  try {
    // Absent in old web views, where the app is open only once.
    const locks: LockManager | undefined = navigator.locks;
    if (!locks) {
      return await work();
    }
    return await locks.request(`nori-generation-${record.id}`, work);
  } finally {
    running.delete(record.id);
  }
}

/** The ids of the records whose server does not answer. */
const useUnanswered = create<{ readonly ids: readonly string[] }>()(() => ({ ids: [] }));
const stops = new Map<string, AbortController>();

/** Whether the server does not answer the request for a record, which is repeated until it does. */
export function useIsUnanswered(record: GenerationRecord | undefined): boolean {
  return useUnanswered(({ ids }) => record !== undefined && ids.includes(record.id));
}

/** Stops waiting for a server that does not answer: the generation has then failed. */
export function stopWaiting({ id }: GenerationRecord): void {
  stops.get(id)?.abort();
}

function createWaiting(id: string): Waiting {
  const controller = new AbortController();
  stops.set(id, controller);
  return {
    signal: controller.signal,
    onChange: (isUnanswered) =>
      useUnanswered.setState(({ ids }) => ({
        ids: [...ids.filter((one) => one !== id), ...(isUnanswered ? [id] : [])],
      })),
  };
}

/** Waits for the pictures and settles the record. */
async function finish(
  task: Task,
  make: (request: GenerationRequest) => Promise<MadePictures>,
): Promise<GenerationRecord> {
  const { adapter, record } = task;
  const request: GenerationRequest = {
    adapter,
    recipe: record,
    jobKey: record.jobKey,
    storeKey: (jobKey) => changeRecord(record.id, { jobKey }),
    waiting: createWaiting(record.id),
  };
  try {
    return await complete(task, await make(request));
  } catch (error) {
    getPlatform().haptic('error');
    const failed = {
      ...(getCurrent(record) ?? record),
      status: 'error',
      error: error instanceof Error ? error.message : String(error),
      isUndecided: error instanceof GenerationFailure && error.isUndecided,
    } as const satisfies GenerationRecord;
    replaceRecord(record.id, adapter.hasPlaceholders ? undefined : failed);
    return failed;
  } finally {
    stops.delete(record.id);
  }
}

async function complete({ adapter, record }: Task, made: MadePictures): Promise<GenerationRecord> {
  const { remoteId } = made.facts;
  if (!getCurrent(record)) {
    // Deleted meanwhile, or its user has logged out.
    return record;
  }
  const id = adapter.hasPlaceholders ? savedId(remoteId ?? randomKey()) : record.id;
  const { width, height } = {
    ...getRatioSize(made.facts.ratio ?? record.ratio),
    ...(await keepFiles(id, made.files)),
  };
  const current = getCurrent(record);
  if (!current) {
    await removePictures([id]);
    return record;
  }
  const done: GenerationRecord = {
    ...current,
    ...made.facts,
    id,
    status: 'completed',
    width,
    height,
    seed: made.facts.seed ?? record.seed,
  };
  replaceRecord(record.id, done);
  setLatest(done);
  getPlatform().haptic('success');
  if (done.remoteId === undefined) {
    void adapter.save?.(done);
  }
  return done;
}

/** The record as it is stored now; undefined when it is gone. */
function getCurrent({ id }: GenerationRecord): GenerationRecord | undefined {
  return getRecords().find((one) => one.id === id);
}

/** Keeps the files on the device. Returns the pixels of the first. */
async function keepFiles(id: string, files: MadePictures['files']): ReturnType<typeof keepPicture> {
  let size: Awaited<ReturnType<typeof keepPicture>> = {};
  for (const [index, file] of files.entries()) {
    if (file) {
      // One after the other: each may have to make room.
      const kept = await keepPicture(pictureId(id, index), file);
      size = index === 0 ? kept : size;
    }
  }
  return size;
}

/** Replaces or removes a record; does nothing when it is gone. */
function replaceRecord(id: string, record: GenerationRecord | undefined): void {
  changeRecords((all) =>
    all
      // Reading the history may have added the finished record already.
      .filter((one) =>
        one.id === id ? record !== undefined : !record || !isSamePicture(one, record),
      )
      .map((one) => (one.id === id ? Object.assign({}, one, record) : one)),
  );
}

/** Counts a generation as pending: then closing the app asks first. Returns the function that ends it. */
function countAsPending(): () => void {
  usePendingGenerations.getState().add();
  const release = holdClosing();
  let isCounted = true;
  const end = () => {
    if (isCounted) {
      isCounted = false;
      usePendingGenerations.getState().settle();
      release();
    }
  };
  // The next user of the page must not see it.
  const stopListening = onUserLeft(end);
  return () => {
    stopListening();
    end();
  };
}
