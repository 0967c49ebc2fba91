/** Asks for somebody's age before something is shown that is not for everyone. */
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

type AgeDialogProps = {
  readonly isOpen: boolean;
  readonly texts: {
    readonly title: string;
    readonly question: string;
    readonly cancel: string;
    readonly confirm: string;
  };
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
};

/** Escape and a press beside it cancel. */
export function AgeDialog({ isOpen, texts, onCancel, onConfirm }: AgeDialogProps) {
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
          <Button kind="primary" onClick={onConfirm}>
            {texts.confirm}
          </Button>
        </>
      }
    >
      <p>{texts.question}</p>
    </Dialog>
  );
}
