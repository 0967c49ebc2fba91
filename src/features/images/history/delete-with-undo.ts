/** Deletes pictures at once, and says so as long as it can be undone, on whatever screen. */
import { flushSync } from 'react-dom';

import { useNotices } from '#lib/notices';

import { deleteRecords, undoMs } from '../common/deletion.ts';
import { type ProviderKit } from '../common/provider-kit.ts';
import { type GenerationRecord } from '../common/records.ts';
import { historyTexts } from './texts.ts';

type Deletion = {
  /** What is said about it. */
  readonly said?: string;
  /** The pictures are back. */
  readonly onUndone?: () => void;
};

/** What can still be undone, the newest last. */
const undoable = new Map<string, () => void>();

export function deleteWithUndo(
  kit: ProviderKit,
  records: readonly GenerationRecord[],
  { said = historyTexts.delete.done, onUndone }: Deletion = {},
): void {
  const { undo } = deleteRecords(kit, records);
  const id = `deleted-${records.map((record) => record.id).join('-')}`;
  const timer = setTimeout(() => undoable.delete(id), undoMs);
  const press = () => {
    clearTimeout(timer);
    undoable.delete(id);
    // The cards must be there again before one of them can get the focus.
    flushSync(undo);
    onUndone?.();
  };
  undoable.set(id, press);
  useNotices.getState().show({
    id,
    tone: 'info',
    text: said,
    durationMs: undoMs,
    action: { text: historyTexts.delete.undo, press },
  });
}

/** Undoes the newest deletion; answers whether there was one. */
export function undoLast(): boolean {
  const last = [...undoable].at(-1);
  if (!last) {
    return false;
  }
  const [id, press] = last;
  useNotices.getState().close(id);
  press();
  return true;
}
