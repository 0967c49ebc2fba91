/** Asks before pictures are deleted, and offers to undo it afterwards. */
import { useEffect } from 'react';

import { useNotices } from '#lib/notices';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';

import { deleteRecords, undoMs } from '../common/deletion.ts';
import { type GenerationRecord } from '../common/records.ts';
import { historyTexts } from './texts.ts';

type DeleteDialogProps = {
  readonly isOpen: boolean;
  /** The person has changed their mind. */
  readonly onClose: () => void;
  readonly onDelete: () => void;
  /** What is asked; a single image unless said otherwise. */
  readonly question?: { readonly title: string; readonly text: string };
};

export function DeleteDialog({ isOpen, ...rest }: DeleteDialogProps) {
  return isOpen ? <OpenDeleteDialog {...rest} /> : null;
}

function OpenDeleteDialog({
  onClose,
  onDelete,
  question = historyTexts.delete,
}: Omit<DeleteDialogProps, 'isOpen'>) {
  const platform = usePlatform();

  useEffect(() => {
    platform.haptic('warning');
  }, [platform]);

  return (
    <Dialog
      title={question.title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            {historyTexts.delete.cancel}
          </Button>
          <Button kind="danger" onClick={onDelete}>
            {historyTexts.delete.confirm}
          </Button>
        </>
      }
    >
      <p>{question.text}</p>
    </Dialog>
  );
}

/** Deletes pictures at once, and says so as long as it can be undone, on whatever screen. */
export function deleteWithUndo(
  records: readonly GenerationRecord[],
  said: string = historyTexts.delete.done,
): void {
  const { undo } = deleteRecords(records);
  useNotices.getState().show({
    id: `deleted-${records.map(({ id }) => id).join('-')}`,
    tone: 'info',
    text: said,
    durationMs: undoMs,
    action: { text: historyTexts.delete.undo, press: undo },
  });
}
