/** The ID of a model, which a press copies; says so for two seconds when it has really been copied. */
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';

import { usePlatform } from '#lib/platform';

import { modelTexts } from './texts.ts';

import styles from './model-card.module.css';

const saidForMs = 2000;
const icon = { 'aria-hidden': true, size: 18 } as const;

export function CopyId({ id, tabIndex }: { readonly id: string; readonly tabIndex: 0 | -1 }) {
  const platform = usePlatform();
  const [outcome, setOutcome] = useState<string>();

  useEffect(() => {
    if (outcome === undefined) {
      return undefined;
    }
    const timer = setTimeout(setOutcome, saidForMs, undefined);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy(): Promise<void> {
    const isCopied = await platform.copy(id);
    platform.haptic(isCopied ? 'success' : 'error');
    setOutcome(isCopied ? modelTexts.copied : modelTexts.notCopied);
  }

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
          void copy();
        }}
      >
        {outcome === modelTexts.copied ? <Check {...icon} /> : <Copy {...icon} />}
        <span>{outcome ?? id}</span>
      </button>
      {/* Apart from the button, which has a name of its own that hides what is written on it. */}
      <output className="visually-hidden">{outcome}</output>
    </>
  );
}
