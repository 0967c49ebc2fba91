/**
 * Making pictures in the background: a record appears at once, the person may leave, and the record
 * is settled when the answer comes, also on the next page when this one is closed meanwhile.
 */
import { sizeOfRatio } from '#contract/images/ratios';
import { holdClosing } from '#lib/closing';
import { useNotices } from '#lib/notices';
import { usePendingGenerations } from '#lib/pending';
import { getPlatform } from '#lib/platform';
import { getSession } from '#lib/session';

import {
  fetchOrMakePictures,
  GenerationFailure,
  makePictures,
  recoverPictures,
  type Wish,
} from './generation-call.ts';
import { pictureTexts } from './picture-texts.ts';
import { keepPicture, removePictures } from './pictures.ts';
import { type Made, type ProviderKit } from './provider-kit.ts';
import { asRecipe, type Recipe } from './recipe.ts';
import {
  changeRecord,
  changeRecords,
  getRecords,
  loadRecords,
  setLatest,
} from './records-store.ts';
import { type GenerationRecord, pictureId, savedId } from './records.ts';

const noticeMs = 12_000;
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
export function startGeneration(kit: ProviderKit, recipe: Recipe): Started {
  return start({ kit, recipe, jobKey: randomKey() }, makePictures);
}

function start(
  { kit, recipe, jobKey }: Wish,
  make: (wish: Wish, recordId: string) => Promise<Made>,
): Started {
  const session = getSession();
  const record: GenerationRecord = {
    ...recipe,
    id: kit.hasPlaceholders ? `temp-${randomKey()}` : randomKey(),
    status: 'pending',
    timestamp: Date.now(),
    tags: [kit.tag],
    owner: session.status === 'member' ? session.telegramId : undefined,
    jobKey,
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
  void kit.lookUp?.(recipe).then((facts) => changeRecord(record.id, facts));
  const end = begin();
  const settled = holdAlone(record, () =>
    finish({ kit, record }, () => make({ kit, recipe, jobKey }, record.id)),
  ).finally(end);
  return { record, settled };
}

/**
 * Makes the pictures of a failed or lost record again, in its place. Where nobody knows whether they
 * were made, the server is asked for them first.
 */
export function retryGeneration(kit: ProviderKit, failed: GenerationRecord): Started {
  changeRecords((all) => all.filter(({ id }) => id !== failed.id));
  // Only what it is made from: the new one has an id, a time and an outcome of its own.
  const recipe = asRecipe(failed);
  if (failed.isUndecided !== true || failed.jobKey === undefined) {
    return startGeneration(kit, recipe);
  }
  const lost = failed.error ?? pictureTexts.interrupted;
  return start({ kit, recipe, jobKey: failed.jobKey }, (wish, recordId) =>
    fetchOrMakePictures(wish, {
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
export function resumeGenerations(kitOf: (record: GenerationRecord) => ProviderKit | undefined) {
  for (const record of getRecords()) {
    const kit = kitOf(record);
    if (kit && record.status === 'pending' && !underWay.has(record.id)) {
      void holdAlone(record, () => resume({ kit, record }));
    }
  }
}

type Task = { readonly kit: ProviderKit; readonly record: GenerationRecord };

async function resume({ kit, record }: Task): Promise<GenerationRecord> {
  // It may have been settled, or deleted, while another tab held it.
  loadRecords();
  const now = getRecords().find(({ id }) => id === record.id);
  if (now?.status !== 'pending') {
    return now ?? record;
  }
  const end = begin();
  const settled = await finish({ kit, record: now }, () => recover({ kit, record: now })).finally(
    end,
  );
  if (settled.status === 'error' && kit.hasPlaceholders) {
    // Nothing in the history tells it, and the form that asked went with its page.
    useNotices.getState().show({
      id: `failed-${record.id}`,
      tone: 'error',
      text: pictureTexts.notMade(settled.error ?? ''),
      durationMs: noticeMs,
    });
  }
  return settled;
}

async function recover({ kit, record }: Task): Promise<Made> {
  if (record.jobKey === undefined) {
    throw new GenerationFailure(pictureTexts.interrupted);
  }
  return recoverPictures({ kit, recipe: record, jobKey: record.jobKey });
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
    const { kit, record } = task;
    getPlatform().haptic('error');
    const failed = {
      ...(recordNow(record) ?? record),
      status: 'error',
      error: error instanceof Error ? error.message : String(error),
      isUndecided: error instanceof GenerationFailure && error.isUndecided,
    } as const satisfies GenerationRecord;
    put(record.id, kit.hasPlaceholders ? undefined : failed);
    return failed;
  }
}

async function settle({ kit, record }: Task, made: Made): Promise<GenerationRecord> {
  const { remoteId } = made.facts;
  const id = kit.hasPlaceholders ? savedId(remoteId ?? randomKey()) : record.id;
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
  void kit.save?.(done);
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
