/**
 * Deletes pictures so that it can be undone. They are hidden at once. A server that restores deleted
 * pictures deletes them at once, too; on others it is done when the time to undo is over. The records
 * mark a deletion that has begun, so that the next page finishes it when this one is closed first.
 */
import {
  deleteGeneration,
  generationRestore,
  restoreGeneration,
} from '#contract/endpoints/generations';
import { ApiError, call } from '#lib/api';
import { fetchCapabilities } from '#lib/capabilities';
import { beforeLogout } from '#lib/logout';
import { noticeMs, useNotices } from '#lib/notices';
import { getSession } from '#lib/session';
import { undoMs } from '#lib/undo';

import { removePictures } from './pictures.ts';
import { type ProviderAdapter } from './provider-adapter.ts';
import { changeRecord, changeRecords, type GenerationRecord, getRecords } from './records.ts';
import { pictureTexts } from './texts.ts';

/** Where pictures are deleted by the call that every backend has. */
export const generationDeletion: ProviderAdapter['deletion'] = {
  remove: (id) => call(deleteGeneration, { id }),
  restore: (id) => call(restoreGeneration, { id }),
};

/** The server's ids of the pictures that this page has deleted there. */
const deletedRemoteIds = new Set<string>();

/** The ids of the records that this page has deleted for good before the server had them. */
const deletedBeforeSave = new Set<string>();

/** Whether the picture was deleted on the server; an answer sent before that may still list it. */
export function isDeletedOnServer({ remoteId }: GenerationRecord): boolean {
  return remoteId !== undefined && deletedRemoteIds.has(remoteId);
}

/** Whether the picture was deleted for good while it was being uploaded. */
export function isDeletedBeforeSave({ id }: GenerationRecord): boolean {
  return deletedBeforeSave.has(id);
}

type Deleter = Pick<ProviderAdapter, 'deletion' | 'save'>;

/** Deletes a picture on the server that got there after it was deleted here. */
export function deleteAfterSave(record: GenerationRecord): Promise<void> {
  changeRecords((all) => [
    // The history may have been read meanwhile, and list it again.
    ...all.filter(({ remoteId }) => remoteId !== record.remoteId),
    { ...record, deletedAt: Date.now() - undoMs },
  ]);
  return deleteForGood({ deletion: generationDeletion }, record.id);
}

/** The deletions of this page that can still be undone, by the ids of their records. */
const timers = new Map<string, { timer: ReturnType<typeof setTimeout>; adapter: Deleter }>();

/** The last call for each record that moves its picture to the server's bin or restores it, until it is answered. */
const underWay = new Map<string, Promise<void>>();

/** The ids of the records whose pictures are surely in the server's bin. */
const inBin = new Set<string>();

/** The records whose deletion an earlier page has begun and a timer of this page will finish. */
const finishing = new Set<string>();

beforeLogout.add(flushDeletions);

/** Hides pictures at once. `undo` brings them back within `undoMs`; later it does nothing. */
export function deleteRecords(
  adapter: Deleter,
  records: readonly GenerationRecord[],
): { readonly undo: () => void } {
  const deletedAt = Date.now();
  const ids = new Set(records.map(({ id }) => id));
  // Records that only the server has are added: the next reading must not bring them back.
  changeRecords((all) => [
    ...all.filter(({ id }) => !ids.has(id)),
    ...records.map((record) => ({ ...record, deletedAt })),
  ]);
  for (const id of ids) {
    timers.set(id, { adapter, timer: setTimeout(() => void deleteForGood(adapter, id), undoMs) });
    void moveToBin(adapter, id);
  }
  return {
    undo: () => {
      for (const id of ids) {
        clearTimeout(timers.get(id)?.timer);
        if (timers.delete(id)) {
          restore(id);
          void restoreOnServer(adapter, id);
        }
      }
    },
  };
}

/** Deletes a picture without a way to undo it. */
export function deleteAtOnce(adapter: Deleter, record: GenerationRecord): void {
  changeRecords((all) => [
    ...all.filter(({ id }) => id !== record.id),
    { ...record, deletedAt: Date.now() },
  ]);
  void deleteForGood(adapter, record.id);
}

/**
 * Finishes the deletions that earlier pages have begun. Waits until their time to undo is over, as the
 * page may still be open in another tab and offer it.
 */
export function finishDeletions(
  getAdapter: (record: GenerationRecord) => Deleter | undefined,
): void {
  // Without a session the server refuses to delete an account's pictures.
  const isSessionKnown = getSession().status !== 'unknown';
  for (const record of getRecords()) {
    const { id, deletedAt, owner, isKeptByServer } = record;
    const adapter = isSessionKnown || owner === undefined ? getAdapter(record) : undefined;
    const isUnfinished = deletedAt !== undefined && isKeptByServer !== true;
    if (adapter && isUnfinished && !timers.has(id) && !finishing.has(id)) {
      finishing.add(id);
      const remainingMs = Math.max(0, deletedAt + undoMs - Date.now());
      setTimeout(() => {
        finishing.delete(id);
        // The other tab may have undone it, or deleted it again, which starts the time to undo anew.
        if (getRecords().find((one) => one.id === id)?.deletedAt === deletedAt) {
          void deleteForGood(adapter, id);
        }
      }, remainingMs);
    }
  }
}

/**
 * Finishes the deletions of this page at once, as it is being closed or the user logs out, and what was
 * undone, too. The calls are sent before this returns. Resolves when they are answered; never rejects.
 */
export async function flushDeletions(): Promise<void> {
  const work = [...timers].map(([id, { timer, adapter }]) => {
    clearTimeout(timer);
    return deleteForGood(adapter, id);
  });
  const undone = getRecords().filter(isToBeRestored);
  const restored = undone.map(({ id }) => restoreOnServer({ deletion: generationDeletion }, id));
  await Promise.allSettled([...work, ...restored, ...underWay.values()]);
}

/** Deletes the picture on a server that can restore it. */
async function moveToBin(adapter: Deleter, id: string): Promise<void> {
  if (!adapter.deletion.restore || !(await canRestore())) {
    return;
  }
  await inOrder(id, async () => {
    const record = findDeleted(id);
    // It may have been undone, or finished, while the server was asked what it can.
    if (!timers.has(id) || record?.remoteId === undefined || !isOwner(record)) {
      return;
    }
    // Before the call: its answer may be lost, or come after the history was read without the picture.
    changeRecord(id, { isInBin: true });
    try {
      // Some backends answer that they have not deleted it. The call is repeated when the time to undo is over.
      if ((await adapter.deletion.remove(record.remoteId)) !== false) {
        inBin.add(id);
      }
    } catch (error) {
      handleRefusal(error, id);
    }
  });
}

/** Sends the calls about one record one after the other, so that the last press decides. */
async function inOrder(id: string, work: () => Promise<void>): Promise<void> {
  const earlier = underWay.get(id);
  const ended = earlier ? earlier.then(work, work) : work();
  underWay.set(id, ended);
  try {
    await ended;
  } finally {
    if (underWay.get(id) === ended) {
      underWay.delete(id);
    }
  }
}

/** False also when the server does not answer: then the deletion waits until it can no longer be undone. */
async function canRestore(): Promise<boolean> {
  try {
    return (await fetchCapabilities()).capabilities.includes(generationRestore);
  } catch {
    return false;
  }
}

/** Restores a picture that is in the server's bin. After a failure the next reading of the history tries again. */
export function restoreOnServer({ deletion, save }: Deleter, id: string): Promise<void> {
  return inOrder(id, async () => {
    const record = getRecords().find((one) => one.id === id);
    if (!deletion.restore || !record || !isToBeRestored(record) || !isOwner(record)) {
      return;
    }
    try {
      await deletion.restore(record.remoteId);
      inBin.delete(id);
      changeRecord(id, { isInBin: undefined });
    } catch (error) {
      if (isMissing(error)) {
        inBin.delete(id);
        await saveAgain(record, save);
      }
    }
  });
}

/** The user has undone its deletion, and the server may not know. */
function isToBeRestored(
  record: GenerationRecord,
): record is GenerationRecord & { readonly remoteId: string } {
  return record.isInBin === true && record.deletedAt === undefined && record.remoteId !== undefined;
}

/** Saves what the device has of a picture that the server has removed for good; says so when that is nothing. */
async function saveAgain(record: GenerationRecord, save: Deleter['save']): Promise<void> {
  const { id } = record;
  changeRecord(id, { isInBin: undefined, remoteId: undefined, isTaken: undefined });
  await save?.(record);
  const now = getRecords().find((one) => one.id === id);
  if (now && now.remoteId === undefined && !now.isTaken) {
    useNotices.getState().show({
      id: `restore-${id}`,
      tone: 'error',
      text: pictureTexts.notRestored,
      durationMs: noticeMs.long,
    });
  }
}

async function deleteForGood(adapter: Deleter, id: string): Promise<void> {
  timers.delete(id);
  const earlier = underWay.get(id);
  if (earlier) {
    // Without one, the call below is sent at once: the user may be logging out.
    await earlier;
  }
  const record = findDeleted(id);
  if (!record || isWaitingForLogin(record)) {
    return;
  }
  let isGoneOnServer = record.remoteId === undefined || inBin.has(id);
  try {
    isGoneOnServer ||= await deleteOnServer(adapter, record);
  } catch (error) {
    handleRefusal(error, id);
    return;
  }
  if (!findDeleted(id)) {
    // Its user has logged out.
    return;
  }
  if (!isGoneOnServer) {
    // The server may go on listing it: the record stays as a mark, without its contents.
    changeRecord(id, {
      prompt: '',
      imageUrl: undefined,
      imageUrls: undefined,
      isKeptByServer: true,
    });
    await removePictures([id]);
    return;
  }
  if (record.remoteId === undefined) {
    deletedBeforeSave.add(id);
  } else {
    deletedRemoteIds.add(record.remoteId);
  }
  changeRecords((all) => all.filter((one) => one.id !== id));
  await removePictures([id]);
}

function findDeleted(id: string): GenerationRecord | undefined {
  return getRecords().find((one) => one.id === id && one.deletedAt !== undefined);
}

function isOwner({ owner }: GenerationRecord): boolean {
  const session = getSession();
  return session.status === 'member' && owner === session.telegramId;
}

/** The server has it, and its user's session has ended by itself: the mark stays for the next login. */
function isWaitingForLogin(record: GenerationRecord): boolean {
  const { id, remoteId, owner } = record;
  return remoteId !== undefined && owner !== undefined && !inBin.has(id) && !isOwner(record);
}

/** Long enough for a page that is being closed to be gone: the browser has ended its calls before. */
const closingMs = 500;

/** Brings the picture back and says so; not after the session has ended. Throws what is no refusal. */
function handleRefusal(error: unknown, id: string): void {
  if (!(error instanceof ApiError)) {
    throw error;
  }
  const record = findDeleted(id);
  if (!record || isMissing(error) || isWaitingForLogin(record)) {
    return;
  }
  if (error.status === 0) {
    setTimeout(() => {
      if (findDeleted(id)?.deletedAt === record.deletedAt) {
        bringBack(record);
      }
    }, closingMs);
  } else {
    bringBack(record);
  }
}

function bringBack(record: GenerationRecord): void {
  const { id } = record;
  clearTimeout(timers.get(id)?.timer);
  timers.delete(id);
  restore(id);
  useNotices.getState().close(deletedNoticeId(record));
  useNotices.getState().show({
    id: `delete-${id}`,
    tone: 'error',
    text: pictureTexts.notDeleted,
    durationMs: noticeMs.medium,
  });
}

/** The notice that offers to undo a deletion. */
export function deletedNoticeId({ id }: GenerationRecord): string {
  return `deleted-${id}`;
}

/** Returns whether it is gone. False when the server does not know the id or has no such call. */
async function deleteOnServer({ deletion }: Deleter, record: GenerationRecord): Promise<boolean> {
  const { remoteId } = record;
  if (remoteId === undefined || !isOwner(record)) {
    return true;
  }
  const { capability } = deletion;
  if (capability !== undefined) {
    const { capabilities } = await fetchCapabilities();
    if (!capabilities.includes(capability)) {
      return false;
    }
  }
  try {
    return (await deletion.remove(remoteId)) !== false;
  } catch (error) {
    if (isMissing(error)) {
      return false;
    }
    throw error;
  }
}

/** The server does not have the picture, or not the call. */
function isMissing(error: unknown): boolean {
  return error instanceof ApiError && [404, 405].includes(error.status);
}

function restore(id: string): void {
  changeRecord(id, { deletedAt: undefined });
}
