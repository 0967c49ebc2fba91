/**
 * Making pictures in the background: a record appears at once, the person may leave, and the record
 * is settled when the answer comes, also on the next page when this one is closed meanwhile.
 */
import { sizeOfRatio } from '#contract/images/ratios';
import { useNotices } from '#lib/notices';
import { usePendingGenerations } from '#lib/pending';
import { getPlatform } from '#lib/platform';
import { getSession } from '#lib/session';

import {
  GenerationFailure,
  type MadePicture,
  makePicture,
  recoverPicture,
} from './generation-call.ts';
import { pictureTexts } from './picture-texts.ts';
import { keepPicture, removePictures } from './pictures.ts';
import { type Recipe } from './recipe.ts';
import {
  changeRecord,
  changeRecords,
  getRecords,
  loadRecords,
  setLatest,
} from './records-store.ts';
import { type GenerationRecord } from './records.ts';
import { savePicture } from './save-picture.ts';

const noticeMs = 12_000;
const keyBytes = 24;

/** At least 128 random bits, as text that addresses and headers take; also on pages without HTTPS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes));
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

/**
 * Starts making a picture. Its record is on top of the list at once, pending; it becomes completed, or
 * error with a sentence. Never throws. Resolves to the settled record.
 */
export function startGeneration(recipe: Recipe): {
  readonly record: GenerationRecord;
  readonly settled: Promise<GenerationRecord>;
} {
  const session = getSession();
  const record: GenerationRecord = {
    ...recipe,
    id: randomKey(),
    status: 'pending',
    timestamp: Date.now(),
    tags: [recipe.provider],
    owner: session.status === 'member' ? session.telegramId : undefined,
    jobKey: randomKey(),
  };
  const isLasting = changeRecords((all) => [record, ...all]);
  if (!isLasting) {
    useNotices.getState().show({
      id: 'history-storage',
      tone: 'warning',
      text: pictureTexts.historyFull,
      durationMs: noticeMs,
    });
  }
  begin();
  const settled = holdAlone(record, () =>
    finish(record, () => makePicture(recipe, record.jobKey ?? '')),
  ).finally(end);
  return { record, settled };
}

/** Makes the picture of a failed record again, in its place. */
export function retryGeneration(failed: GenerationRecord): ReturnType<typeof startGeneration> {
  changeRecords((all) => all.filter(({ id }) => id !== failed.id));
  // Only what it is made from: the new one has an id, a time and an outcome of its own.
  const { provider, modelId, modelName, prompt, negativePrompt, seed, ratio, nsfw, loras } = failed;
  const wish = { provider, modelId, modelName, prompt, negativePrompt, seed, ratio, nsfw, loras };
  return startGeneration(wish);
}

/**
 * Settles what an earlier page has left pending. What another tab works on is left to it, for as long
 * as that tab lives.
 */
export function resumeGenerations(): void {
  for (const record of getRecords()) {
    if (record.status === 'pending' && !underWay.has(record.id)) {
      void holdAlone(record, () => resume(record));
    }
  }
}

async function resume(record: GenerationRecord): Promise<GenerationRecord> {
  // It may have been settled, or deleted, while another tab held it.
  loadRecords();
  const now = getRecords().find(({ id }) => id === record.id);
  if (now?.status !== 'pending') {
    return now ?? record;
  }
  begin();
  return finish(now, () => recover(now)).finally(end);
}

async function recover(record: GenerationRecord): Promise<MadePicture> {
  if (record.jobKey === undefined) {
    throw new GenerationFailure(pictureTexts.interrupted);
  }
  return recoverPicture(record, record.jobKey);
}

/** What this page works on. */
const underWay = new Set<string>();

/** Works on a record when no other living tab is at it, or is any more. */
async function holdAlone(
  record: GenerationRecord,
  work: () => Promise<GenerationRecord>,
): Promise<GenerationRecord> {
  underWay.add(record.id);
  try {
    // Absent in old web views; there only one page of the app lives at a time.
    const locks: LockManager | undefined = navigator.locks;
    if (!locks) {
      return await work();
    }
    return await locks.request(`nori-generation-${record.id}`, work);
  } finally {
    underWay.delete(record.id);
  }
}

/** Waits for the picture and settles the record, well or not. */
async function finish(
  record: GenerationRecord,
  make: () => Promise<MadePicture>,
): Promise<GenerationRecord> {
  try {
    return await settle(record, await make());
  } catch (error) {
    getPlatform().haptic('error');
    return update(record, {
      status: 'error',
      error: error instanceof Error ? error.message : String(error),
    });
  }
}

async function settle(
  record: GenerationRecord,
  { file, seed, engine }: MadePicture,
): Promise<GenerationRecord> {
  const { width, height } = {
    ...sizeOfRatio(record.ratio),
    ...(await keepPicture(record.id, file)),
  };
  if (!getRecords().some(({ id }) => id === record.id)) {
    // Deleted, or its person logged out, while it was being made.
    await removePictures([record.id]);
    return record;
  }
  const done = update(record, {
    status: 'completed',
    width,
    height,
    ...(seed === undefined ? {} : { seed }),
    ...(engine === undefined ? {} : { engine }),
  });
  setLatest(record.id);
  getPlatform().haptic('success');
  // The picture is there; whether the server keeps it, too, nobody waits for.
  void savePicture(done);
  return done;
}

function update(record: GenerationRecord, change: Partial<GenerationRecord>): GenerationRecord {
  changeRecord(record.id, change);
  return { ...record, ...change };
}

/** While something is pending, closing the app is asked about. */
function begin(): void {
  usePendingGenerations.getState().add();
  getPlatform().confirmClosing(true);
}

function end(): void {
  usePendingGenerations.getState().settle();
  if (usePendingGenerations.getState().count === 0) {
    getPlatform().confirmClosing(false);
  }
}
