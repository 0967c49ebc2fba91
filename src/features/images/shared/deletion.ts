/**
 * Deleting pictures so that it can be undone: they are hidden at once and go for good, here and on the
 * server, when the time for that is over. A page that is closed meanwhile leaves a mark in the
 * records, and the next one finishes the work.
 */
import { deleteGeneration } from '#contract/endpoints/generations';
import { ApiError, call } from '#lib/api';
import { noticeMs, useNotices } from '#lib/notices';
import { getSession } from '#lib/session';
import { undoMs } from '#lib/undo';

import { pictureTexts } from './picture-texts.ts';
import { removePictures } from './pictures.ts';
import { type ProviderAdapter } from './provider-adapter.ts';
import { changeRecord, changeRecords, getRecords } from './records-store.ts';
import { type GenerationRecord } from './records.ts';

/** What this page has deleted on the server, by the server's ids. */
const gone = new Set<string>();

/** Whether an answer of the server still names a picture that has been deleted since it was asked. */
export function isDeletedThere({ remoteId }: GenerationRecord): boolean {
  return remoteId !== undefined && gone.has(remoteId);
}

/** What this page has deleted for good before the server had it, by its own ids. */
const goneUnsaved = new Set<string>();

/** Whether a picture was deleted for good while it was on its way to the server. */
export function isDeletedHere({ id }: GenerationRecord): boolean {
  return goneUnsaved.has(id);
}

type Deleter = Pick<ProviderAdapter, 'deletesThere'>;

/** Deletes for good what has reached the server after it was deleted here. */
export function deleteLatecomer(adapter: Deleter, record: GenerationRecord): Promise<void> {
  changeRecords((all) => [
    // Reading the history meanwhile may have brought it back.
    ...all.filter(({ remoteId }) => remoteId !== record.remoteId),
    { ...record, deletedAt: Date.now() - undoMs },
  ]);
  return deleteForGood(adapter, record.id);
}

const timers = new Map<
  string,
  { timer: ReturnType<typeof setTimeout>; adapter: ProviderAdapter }
>();

/** What an earlier page has begun and this one is about to finish. */
const finishing = new Set<string>();

/** Hides pictures at once. Call `undo` within `undoMs` to have them back; later it does nothing. */
export function deleteRecords(
  adapter: ProviderAdapter,
  records: readonly GenerationRecord[],
): { readonly undo: () => void } {
  const deletedAt = Date.now();
  const ids = new Set(records.map(({ id }) => id));
  // What only the server has is marked here, too: it must not come back with the next reading.
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

/** Deletes for good, with no way back. */
export function deleteAtOnce(adapter: ProviderAdapter, record: GenerationRecord): void {
  deleteRecords(adapter, [record]);
  clearTimeout(timers.get(record.id)?.timer);
  void deleteForGood(adapter, record.id);
}

/**
 * Finishes what earlier pages have begun: at once, or when its time is over, as another living tab may
 * still offer to undo it.
 */
export function finishDeletions(
  getAdapter: (record: GenerationRecord) => ProviderAdapter | undefined,
): void {
  // The server deletes nothing for whom it does not know yet.
  const isKnown = getSession().status !== 'unknown';
  for (const record of getRecords()) {
    const { id, deletedAt, owner } = record;
    const adapter = isKnown || owner === undefined ? getAdapter(record) : undefined;
    if (adapter && deletedAt !== undefined && !timers.has(id) && !finishing.has(id)) {
      finishing.add(id);
      const remainingMs = Math.max(0, deletedAt + undoMs - Date.now());
      setTimeout(() => {
        finishing.delete(id);
        // It may have been brought back, and deleted once more, which can be undone for longer.
        if (getDeletedAt(id) === deletedAt) {
          void deleteForGood(adapter, id);
        }
      }, remainingMs);
    }
  }
}

const getDeletedAt = (id: string) => getRecords().find((record) => record.id === id)?.deletedAt;

/** Finishes at once what this page has begun: it is being closed. */
export function hurryDeletions(): void {
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
  let isGoneThere = record.remoteId === undefined;
  try {
    isGoneThere ||= adapter.deletesThere && (await deleteOnServer(record));
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
  if (!isGoneThere) {
    // The server may go on naming it: a mark without its words keeps it from coming back.
    changeRecord(id, { prompt: '', imageUrl: undefined, imageUrls: undefined });
    await removePictures([id]);
    return;
  }
  if (record.remoteId === undefined) {
    goneUnsaved.add(id);
  } else {
    gone.add(record.remoteId);
  }
  changeRecords((all) => all.filter((one) => one.id !== id));
  await removePictures([id]);
}

/** Answers whether it is gone: not from a server that knows none of that id, or no such call. */
async function deleteOnServer({ remoteId, owner }: GenerationRecord): Promise<boolean> {
  const session = getSession();
  const isMine = session.status === 'member' && owner === session.telegramId;
  if (remoteId === undefined || !isMine) {
    return true;
  }
  try {
    await call(deleteGeneration, { id: remoteId });
    return true;
  } catch (error) {
    if (error instanceof ApiError && [404, 405].includes(error.status)) {
      return false;
    }
    throw error;
  }
}

function restore(id: string): void {
  changeRecords((all) =>
    all.map((record) => (record.id === id ? { ...record, deletedAt: undefined } : record)),
  );
}
