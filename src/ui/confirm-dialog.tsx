/** A question with two answers: cancel, or confirm. */
import { type ComponentProps } from 'react';

import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

type ConfirmDialogProps = {
  readonly isOpen: boolean;
  readonly texts: {
    readonly title: string;
    readonly question: string;
    readonly cancel: string;
    readonly confirm: string;
  };
  readonly kind?: ComponentProps<typeof Button>['kind'];
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
};

/** Escape and a press on the backdrop cancel. */
export function ConfirmDialog({
  isOpen,
  texts,
  kind = 'primary',
  onCancel,
  onConfirm,
}: ConfirmDialogProps) {
  return (
    <Dialog
      title={texts.title}
      isOpen={isOpen}
      onClose={onCancel}
      actions={
        <>
          <Button kind="quiet" onClick={onCancel}>
            {texts.cancel}
          </Button>
          <Button kind={kind} onClick={onConfirm}>
            {texts.confirm}
          </Button>
        </>
      }
    >
      <p>{texts.question}</p>
    </Dialog>
  );
}
