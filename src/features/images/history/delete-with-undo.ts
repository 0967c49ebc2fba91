/** Deletes pictures at once, and says so as long as it can be undone, on whatever screen. */
import { flushSync } from 'react-dom';

import { showUndo } from '#lib/undo';

import { deleteRecords } from '../shared/deletion.ts';
import { type ProviderAdapter } from '../shared/provider-adapter.ts';
import { type GenerationRecord } from '../shared/records.ts';
import { historyTexts } from './texts.ts';

type Deletion = {
  /** What is said about it. */
  readonly said?: string;
  /** The pictures are back. */
  readonly onUndone?: () => void;
};

export function deleteWithUndo(
  adapter: ProviderAdapter,
  records: readonly GenerationRecord[],
  { said = historyTexts.delete.done, onUndone }: Deletion = {},
): void {
  const { undo } = deleteRecords(adapter, records);
  showUndo({
    id: `deleted-${records.map((record) => record.id).join('-')}`,
    tone: 'info',
    text: said,
    button: historyTexts.delete.undo,
    undo: () => {
      // The cards must be there again before one of them can get the focus.
      flushSync(undo);
      onUndone?.();
    },
  });
}
