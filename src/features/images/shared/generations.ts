/**
 * Making pictures in the background: a record appears at once, the person may leave, and the record
 * is settled when the answer comes, also on the next page when this one is closed meanwhile.
 */
import { sizeOfRatio } from '#contract/images/ratios';
import { holdClosing } from '#lib/closing';
import { noticeMs, useNotices } from '#lib/notices';
import { usePendingGenerations } from '#lib/pending';
import { getPlatform } from '#lib/platform';
import { getSession } from '#lib/session';

import {
  fetchOrMakePictures,
  GenerationFailure,
  makePictures,
  recoverPictures,
  type GenerationRequest,
} from './generation-call.ts';
import { pictureTexts } from './picture-texts.ts';
import { keepPicture, removePictures } from './pictures.ts';
import { type Made, type ProviderAdapter } from './provider-adapter.ts';
import { asRecipe, type Recipe } from './recipe.ts';
import {
  changeRecord,
  changeRecords,
  getRecords,
  loadRecords,
  setLatest,
} from './records-store.ts';
import { type GenerationRecord, pictureId, savedId } from './records.ts';

const keyBytes = 24;

/** At least 128 random bits, as text that addresses and headers take; also on pages without HTTPS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes));
  return btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

type Started = {
  readonly record: GenerationRecord;
  readonly settled: Promise<GenerationRecord>;
};

/**
 * Starts making what a recipe asks for. Its record is on top of the list at once, pending; it becomes
 * completed, or error with a sentence. Never throws. Resolves to the settled record.
 */
export function startGeneration(adapter: ProviderAdapter, recipe: Recipe): Started {
  return start({ adapter, recipe, jobKey: randomKey() }, makePictures);
}

function start(
  { adapter, recipe, jobKey }: GenerationRequest,
  make: (request: GenerationRequest, recordId: string) => Promise<Made>,
): Started {
  const session = getSession();
  const record: GenerationRecord = {
    ...recipe,
    id: adapter.hasPlaceholders ? `temp-${randomKey()}` : randomKey(),
    status: 'pending',
    timestamp: Date.now(),
    tags: [adapter.tag],
    owner: session.status === 'member' ? session.telegramId : undefined,
    jobKey,
  };
  const isLasting = changeRecords((all) => [record, ...all]);
  if (!isLasting) {
    useNotices.getState().show({
      id: 'history-storage',
      tone: 'warning',
      text: pictureTexts.historyFull,
      durationMs: noticeMs.long,
    });
  }
  void adapter.lookUp?.(recipe).then((facts) => changeRecord(record.id, facts));
  const end = begin();
  const settled = holdAlone(record, () =>
    finish({ adapter, record }, () => make({ adapter, recipe, jobKey }, record.id)),
  ).finally(end);
  return { record, settled };
}

/**
 * Makes the pictures of a failed or lost record again, in its place. Where nobody knows whether they
 * were made, the server is asked for them first.
 */
export function retryGeneration(adapter: ProviderAdapter, failed: GenerationRecord): Started {
  changeRecords((all) => all.filter(({ id }) => id !== failed.id));
  // Only what it is made from: the new one has an id, a time and an outcome of its own.
  const recipe = asRecipe(failed);
  if (failed.isUndecided !== true || failed.jobKey === undefined) {
    return startGeneration(adapter, recipe);
  }
  const lost = failed.error ?? pictureTexts.interrupted;
  return start({ adapter, recipe, jobKey: failed.jobKey }, (request, recordId) =>
    fetchOrMakePictures(request, {
      lost,
      renewKey: () => {
        const jobKey = randomKey();
        changeRecord(recordId, { jobKey });
        return jobKey;
      },
    }),
  );
}

/**
 * Settles what an earlier page has left pending. What another tab works on is left to it, for as long
 * as that tab lives.
 */
export function resumeGenerations(
  getAdapter: (record: GenerationRecord) => ProviderAdapter | undefined,
) {
  for (const record of getRecords()) {
    const adapter = getAdapter(record);
    if (adapter && record.status === 'pending' && !underWay.has(record.id)) {
      void holdAlone(record, () => resume({ adapter, record }));
    }
  }
}

type Task = { readonly adapter: ProviderAdapter; readonly record: GenerationRecord };

async function resume({ adapter, record }: Task): Promise<GenerationRecord> {
  // It may have been settled, or deleted, while another tab held it.
  loadRecords();
  const now = getRecords().find(({ id }) => id === record.id);
  if (now?.status !== 'pending') {
    return now ?? record;
  }
  const end = begin();
  const settled = await finish({ adapter, record: now }, () =>
    recover({ adapter, record: now }),
  ).finally(end);
  if (settled.status === 'error' && adapter.hasPlaceholders) {
    // Nothing in the history tells it, and the form that asked went with its page.
    useNotices.getState().show({
      id: `failed-${record.id}`,
      tone: 'error',
      text: pictureTexts.notMade(settled.error ?? ''),
      durationMs: noticeMs.long,
    });
  }
  return settled;
}

async function recover({ adapter, record }: Task): Promise<Made> {
  if (record.jobKey === undefined) {
    throw new GenerationFailure(pictureTexts.interrupted);
  }
  return recoverPictures({ adapter, recipe: record, jobKey: record.jobKey });
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

/** Waits for the pictures and settles the record, well or not. */
async function finish(task: Task, make: () => Promise<Made>): Promise<GenerationRecord> {
  try {
    return await settle(task, await make());
  } catch (error) {
    const { adapter, record } = task;
    getPlatform().haptic('error');
    const failed = {
      ...(recordNow(record) ?? record),
      status: 'error',
      error: error instanceof Error ? error.message : String(error),
      isUndecided: error instanceof GenerationFailure && error.isUndecided,
    } as const satisfies GenerationRecord;
    put(record.id, adapter.hasPlaceholders ? undefined : failed);
    return failed;
  }
}

async function settle({ adapter, record }: Task, made: Made): Promise<GenerationRecord> {
  const { remoteId } = made.facts;
  const id = adapter.hasPlaceholders ? savedId(remoteId ?? randomKey()) : record.id;
  const size = { ...sizeOfRatio(record.ratio), ...(await keepAll(id, made.files)) };
  const now = recordNow(record);
  if (!now) {
    // Deleted, or its person logged out, while it was being made.
    await removePictures([id]);
    return record;
  }
  const { width, height } = size;
  const done: GenerationRecord = {
    ...now,
    ...made.facts,
    id,
    status: 'completed',
    width,
    height,
    seed: made.facts.seed ?? record.seed,
  };
  put(record.id, done);
  setLatest(done);
  getPlatform().haptic('success');
  // The picture is there; whether the server keeps it, too, nobody waits for.
  void adapter.save?.(done);
  return done;
}

/** A record with what has been learnt of it since; undefined when it is gone. */
function recordNow({ id }: GenerationRecord): GenerationRecord | undefined {
  return getRecords().find((one) => one.id === id);
}

/** Keeps the files, and answers the pixels of the first. */
async function keepAll(id: string, files: Made['files']): ReturnType<typeof keepPicture> {
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

/** Puts a record in the place of another, or takes that one away; one that is gone stays gone. */
function put(id: string, record: GenerationRecord | undefined): void {
  changeRecords((all) =>
    all
      // Reading the history may have brought the finished one already.
      .filter((one) => (one.id === id ? record !== undefined : one.id !== record?.id))
      .map((one) => (one.id === id ? Object.assign({}, one, record) : one)),
  );
}

/** While something is pending, closing the app is asked about. Returns what ends it. */
function begin(): () => void {
  usePendingGenerations.getState().add();
  const release = holdClosing();
  return () => {
    usePendingGenerations.getState().settle();
    release();
  };
}
