/** Everything a picture was made from, to read, to copy, and to use again. */
import { useCopyText } from '#lib/copy-text';
import { Button } from '#ui/button';
import { CopyButton } from '#ui/copy-button';
import { Dialog } from '#ui/dialog';

import { type Fact } from './history-view.ts';
import { historyTexts } from './texts.ts';

import styles from './details-dialog.module.css';

type DetailsDialogProps = {
  readonly title: string;
  /** Those without a text are left out. */
  readonly facts: readonly Fact[];
  readonly onClose: () => void;
  /** Takes everything over into the form. */
  readonly onUseAgain: () => void;
};

const { details: texts } = historyTexts;

export function DetailsDialog({ title, facts, onClose, onUseAgain }: DetailsDialogProps) {
  const copyText = useCopyText();
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            {texts.close}
          </Button>
          <Button onClick={onUseAgain}>{texts.reuse}</Button>
        </>
      }
    >
      <dl className={styles.facts}>
        {facts
          .filter(({ text }) => text.trim() !== '')
          .map(({ name, text, isCopied = false }) => (
            <div key={name} className={styles.fact}>
              <dt>{name}</dt>
              <dd>{text}</dd>
              {isCopied && (
                <dd className={styles.action}>
                  <CopyButton label={texts.copy(name)} copy={() => copyText(text)} />
                </dd>
              )}
            </div>
          ))}
      </dl>
    </Dialog>
  );
}
