/** Copies a text, and says so for two seconds, when it has really been copied. */
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';

import { usePlatform } from '#lib/platform';
import { IconButton } from '#ui/button';

import { historyTexts } from './texts.ts';

import styles from './details-dialog.module.css';

const saidForMs = 2000;
const { details: texts } = historyTexts;

export function CopyButton({ what, text }: { readonly what: string; readonly text: string }) {
  const platform = usePlatform();
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();

  useEffect(() => {
    if (outcome === undefined) {
      return undefined;
    }
    const timer = setTimeout(setOutcome, saidForMs, undefined);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => {
    const isCopied = await platform.copy(text);
    platform.haptic(isCopied ? 'success' : 'error');
    setOutcome(isCopied ? 'copied' : 'refused');
  };

  return (
    <span className={styles.copy}>
      <output className={styles.outcome}>
        {outcome === 'copied' && texts.copied}
        {outcome === 'refused' && texts.notCopied}
      </output>
      <IconButton
        label={texts.copy(what)}
        icon={
          outcome === 'copied' ? <Check aria-hidden size={18} /> : <Copy aria-hidden size={18} />
        }
        onClick={() => void copy()}
      />
    </span>
  );
}
