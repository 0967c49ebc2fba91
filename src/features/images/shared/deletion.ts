/**
 * Deletes pictures so that it can be undone. They are hidden at once and deleted on the device and on the
 * server when the time to undo is over. The records mark a deletion that has begun, so that the next
 * page finishes it when this one is closed first.
 */
import { deleteGeneration } from '#contract/endpoints/generations';
import { ApiError, call } from '#lib/api';
import { noticeMs, useNotices } from '#lib/notices';
import { getSession } from '#lib/session';
import { undoMs } from '#lib/undo';

import { removePictures } from './pictures.ts';
import { type ProviderAdapter } from './provider-adapter.ts';
import { changeRecord, changeRecords, type GenerationRecord, getRecords } from './records.ts';
import { pictureTexts } from './texts.ts';

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

type Deleter = Pick<ProviderAdapter, 'deletesOnServer'>;

/** Deletes a picture on the server that got there after it was deleted here. */
export function deleteAfterSave(adapter: Deleter, record: GenerationRecord): Promise<void> {
  changeRecords((all) => [
    // The history may have been read meanwhile, and list it again.
    ...all.filter(({ remoteId }) => remoteId !== record.remoteId),
    { ...record, deletedAt: Date.now() - undoMs },
  ]);
  return deleteForGood(adapter, record.id);
}

const timers = new Map<
  string,
  { timer: ReturnType<typeof setTimeout>; adapter: ProviderAdapter }
>();

/** The records whose deletion an earlier page has begun and a timer of this page will finish. */
const finishing = new Set<string>();

/** Hides pictures at once. `undo` brings them back within `undoMs`; later it does nothing. */
export function deleteRecords(
  adapter: ProviderAdapter,
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
  }
  return {
    undo: () => {
      for (const id of ids) {
        clearTimeout(timers.get(id)?.timer);
        if (timers.delete(id)) {
          restore(id);
        }
      }
    },
  };
}

/** Deletes a picture without a way to undo it. */
export function deleteAtOnce(adapter: ProviderAdapter, record: GenerationRecord): void {
  deleteRecords(adapter, [record]);
  clearTimeout(timers.get(record.id)?.timer);
  void deleteForGood(adapter, record.id);
}

/**
 * Finishes the deletions that earlier pages have begun. Waits until their time to undo is over, as the
 * page may still be open in another tab and offer it.
 */
export function finishDeletions(
  getAdapter: (record: GenerationRecord) => ProviderAdapter | undefined,
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

/** Finishes the deletions of this page at once, as it is being closed. */
export function flushDeletions(): void {
  for (const [id, { timer, adapter }] of timers) {
    clearTimeout(timer);
    void deleteForGood(adapter, id);
  }
}

async function deleteForGood(adapter: Deleter, id: string): Promise<void> {
  timers.delete(id);
  const record = getRecords().find((one) => one.id === id && one.deletedAt !== undefined);
  if (!record) {
    return;
  }
  let isGoneOnServer = record.remoteId === undefined;
  try {
    isGoneOnServer ||= adapter.deletesOnServer && (await deleteOnServer(record));
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    restore(id);
    useNotices.getState().show({
      id: `delete-${id}`,
      tone: 'error',
      text: pictureTexts.notDeleted,
      durationMs: noticeMs.medium,
    });
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

/** Returns whether it is gone. False when the server does not know the id or has no such call. */
async function deleteOnServer({ remoteId, owner }: GenerationRecord): Promise<boolean> {
  const session = getSession();
  const isOwner = session.status === 'member' && owner === session.telegramId;
  if (remoteId === undefined || !isOwner) {
    return true;
  }
  try {
    return await call(deleteGeneration, { id: remoteId });
  } catch (error) {
    if (error instanceof ApiError && [404, 405].includes(error.status)) {
      return false;
    }
    throw error;
  }
}

function restore(id: string): void {
  changeRecord(id, { deletedAt: undefined });
}
