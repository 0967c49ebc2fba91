/**
 * Deleting pictures so that it can be undone: they are hidden at once and go for good, here and on the
 * server, when the time for that is over. A page that is closed meanwhile leaves a mark in the
 * records, and the next one finishes the work.
 */
import { deleteGeneration } from '#contract/endpoints/generations';
import { ApiError, call } from '#lib/api';
import { useNotices } from '#lib/notices';
import { getSession } from '#lib/session';

import { pictureTexts } from './picture-texts.ts';
import { removePictures } from './pictures.ts';
import { changeRecords, getRecords } from './records-store.ts';
import { type GenerationRecord } from './records.ts';

/** How long a deletion can be undone. */
export const undoMs = 10_000;
const noticeMs = 8000;

/** What this page has deleted on the server, by the server's ids. */
const gone = new Set<string>();

/** Whether an answer of the server still names a picture that has been deleted since it was asked. */
export function isDeletedThere({ remoteId }: GenerationRecord): boolean {
  return remoteId !== undefined && gone.has(remoteId);
}

const timers = new Map<string, ReturnType<typeof setTimeout>>();

/** Hides pictures at once. Call `undo` within `undoMs` to have them back; later it does nothing. */
export function deleteRecords(records: readonly GenerationRecord[]): { readonly undo: () => void } {
  const deletedAt = Date.now();
  const ids = new Set(records.map(({ id }) => id));
  // What only the server has is marked here, too: it must not come back with the next reading.
  changeRecords((all) => [
    ...all.filter(({ id }) => !ids.has(id)),
    ...records.map((record) => ({ ...record, deletedAt })),
  ]);
  for (const id of ids) {
    timers.set(
      id,
      setTimeout(() => void deleteForGood(id), undoMs),
    );
  }
  return {
    undo: () => {
      for (const id of ids) {
        clearTimeout(timers.get(id));
        if (timers.delete(id)) {
          restore(id);
        }
      }
    },
  };
}

/** Finishes what earlier pages have begun. Another living tab may still offer to undo a young one. */
export function finishDeletions(): void {
  for (const { id, deletedAt } of getRecords()) {
    if (deletedAt !== undefined && !timers.has(id) && Date.now() - deletedAt > undoMs) {
      void deleteForGood(id);
    }
  }
}

/** Finishes at once what this page has begun: it is being closed. */
export function hurryDeletions(): void {
  for (const [id, timer] of timers) {
    clearTimeout(timer);
    void deleteForGood(id);
  }
}

async function deleteForGood(id: string): Promise<void> {
  timers.delete(id);
  const record = getRecords().find((one) => one.id === id && one.deletedAt !== undefined);
  if (!record) {
    return;
  }
  try {
    await deleteOnServer(record);
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    restore(id);
    useNotices.getState().show({
      id: `delete-${id}`,
      tone: 'error',
      text: pictureTexts.notDeleted,
      durationMs: noticeMs,
    });
    return;
  }
  if (record.remoteId !== undefined) {
    gone.add(record.remoteId);
  }
  changeRecords((all) => all.filter((one) => one.id !== id));
  await removePictures([id]);
}

/** One that the server does not have counts as deleted. */
async function deleteOnServer({ remoteId, owner }: GenerationRecord): Promise<void> {
  const session = getSession();
  const isMine = session.status === 'member' && owner === session.telegramId;
  if (remoteId === undefined || !isMine) {
    return;
  }
  try {
    await call(deleteGeneration, { id: remoteId });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) {
      throw error;
    }
  }
}

function restore(id: string): void {
  changeRecords((all) =>
    all.map((record) => (record.id === id ? { ...record, deletedAt: undefined } : record)),
  );
}
