/** The ID of a model, which a press copies; says so for two seconds when it has really been copied. */
import { Check, Copy } from 'lucide-react';

import { useCopyText } from '#lib/copy-text';
import { useCopied } from '#ui/copy-button';

import { modelTexts } from './texts.ts';

import styles from './model-card.module.css';

const icon = { 'aria-hidden': true, size: 18 } as const;

export function CopyId({ id, tabIndex }: { readonly id: string; readonly tabIndex: 0 | -1 }) {
  const copyText = useCopyText();
  const { isCopied, said, press } = useCopied(() => copyText(id));

  return (
    <>
      <button
        type="button"
        className={styles.id}
        tabIndex={tabIndex}
        aria-label={modelTexts.copyId(id)}
        onClick={(event) => {
          // The card around it would turn.
          event.stopPropagation();
          void press();
        }}
      >
        {isCopied ? <Check {...icon} /> : <Copy {...icon} />}
        <span>{said ?? id}</span>
      </button>
      {/* Apart from the button, which has a name of its own that hides what is written on it. */}
      <output className="visually-hidden">{said}</output>
    </>
  );
}
