/** A question with two answers: cancel, or confirm. */
import { type ComponentProps } from 'react';

import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

import styles from './dialog.module.css';

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
      isQuestion
      onClose={onCancel}
      actions={
        <>
          <AnswerButton kind="quiet" onClick={onCancel}>
            {texts.cancel}
          </AnswerButton>
          <AnswerButton kind={kind} onClick={onConfirm}>
            {texts.confirm}
          </AnswerButton>
        </>
      }
    >
      <p>{texts.question}</p>
    </Dialog>
  );
}

/** An answer of a question, which the clients of Telegram write without a background. */
export function AnswerButton(props: ComponentProps<typeof Button>) {
  return <Button {...props} className={props.kind === 'danger' ? styles.destructive : undefined} />;
}
