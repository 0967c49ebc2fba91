/** Everything a picture was made from, to read, to copy, and to use again. */
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';

import { type GenerationRecord } from '../common/records.ts';
import { CopyButton } from './copy-button.tsx';
import { historyTexts } from './texts.ts';

import styles from './details-dialog.module.css';

type DetailsDialogProps = {
  readonly record: GenerationRecord;
  readonly onClose: () => void;
  /** Takes everything over into the form; without it the form is not on this screen. */
  readonly onUseAgain?: (() => void) | undefined;
};

type Fact = { readonly name: string; readonly text: string; readonly isCopied?: boolean };

const { details: texts } = historyTexts;

export function DetailsDialog({ record, onClose, onUseAgain }: DetailsDialogProps) {
  return (
    <Dialog
      title={texts.title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            {texts.close}
          </Button>
          {onUseAgain && <Button onClick={onUseAgain}>{texts.reuse}</Button>}
        </>
      }
    >
      <dl className={styles.facts}>
        {factsOf(record).map(({ name, text, isCopied = false }) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{text}</dd>
            {isCopied && (
              <dd className={styles.action}>
                <CopyButton what={name} text={text} />
              </dd>
            )}
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** Only what there is. */
function factsOf(record: GenerationRecord): readonly Fact[] {
  const loras = record.loras.map(({ id, name = id, percentage }) => texts.lora(name, percentage));
  return [
    { name: texts.modelId, text: record.modelId, isCopied: true },
    { name: texts.modelName, text: record.modelName },
    { name: texts.prompt, text: record.prompt, isCopied: true },
    { name: texts.negativePrompt, text: record.negativePrompt, isCopied: true },
    { name: texts.seed, text: record.seed ?? '', isCopied: true },
    { name: texts.ratio, text: record.ratio },
    { name: texts.loras, text: loras.join('\n') },
    { name: texts.adult, text: record.nsfw ? texts.yes : '' },
    { name: texts.engine, text: record.engine === 'sketch' ? texts.sketch : (record.engine ?? '') },
    {
      name: texts.kept,
      text: record.remoteId === undefined ? texts.onlyHere : texts.onServer,
    },
  ].filter(({ text }) => text.trim() !== '');
}
