/** Copies a text, and says so for two seconds, when it has really been copied. */
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';

import { usePlatform } from '#lib/platform';
import { IconButton } from '#ui/button';

import { texts } from './texts.ts';

import styles from './playground.module.css';

const saidForMs = 2000;

type CopyButtonProps = {
  readonly label: string;
  /** Written only when it is wanted, as it may be long. */
  readonly text: () => string;
};

export function CopyButton({ label, text }: CopyButtonProps) {
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
    const isCopied = await platform.copy(text());
    platform.haptic(isCopied ? 'success' : 'error');
    setOutcome(isCopied ? 'copied' : 'refused');
  };

  return (
    <span className={styles.copy}>
      <output className={styles.copied}>
        {outcome === 'copied' && texts.copied}
        {outcome === 'refused' && texts.notCopied}
      </output>
      <IconButton
        label={label}
        icon={
          outcome === 'copied' ? <Check aria-hidden size={18} /> : <Copy aria-hidden size={18} />
        }
        onClick={() => void copy()}
      />
    </span>
  );
}
