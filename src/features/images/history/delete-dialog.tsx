/** Asks before something is deleted. */
import { useEffect } from 'react';

import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';

import { historyTexts } from './texts.ts';

type Question = { readonly title: string; readonly text: string };

type DeleteDialogProps = {
  readonly isOpen: boolean;
  /** The person has changed their mind. */
  readonly onClose: () => void;
  readonly onDelete: () => void;
  /** What is asked; a single image unless said otherwise. */
  readonly question?: Question;
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
