/** Copies something, and says beside itself what came of it. */
import { Check, Copy as CopyIcon } from 'lucide-react';
import { useEffect, useState } from 'react';

import { IconButton } from './button.tsx';

import styles from './copy-button.module.css';

type CopyButtonProps = {
  readonly label: string;
  readonly copy: Copy;
};

const icon = { 'aria-hidden': true, size: 18 } as const;

export function CopyButton({ label, copy }: CopyButtonProps) {
  const { isCopied, said, press } = useCopied(copy);
  return (
    <span className={styles.copy}>
      <output className={styles.said}>{said}</output>
      <IconButton
        label={label}
        icon={isCopied ? <Check {...icon} /> : <CopyIcon {...icon} />}
        onClick={() => void press()}
      />
    </span>
  );
}

const saidForMs = 2000;
const sayings = { copied: 'Copied!', refused: 'Could not copy' } as const;

/** Copies a text, and says whether that worked. */
type Copy = () => Promise<boolean>;

/** `said` is what to show in place of the label or beside it; `press` copies. */
export function useCopied(copy: Copy) {
  const [outcome, setOutcome] = useState<keyof typeof sayings>();

  useEffect(() => {
    if (outcome === undefined) {
      return undefined;
    }
    const timer = setTimeout(setOutcome, saidForMs, undefined);
    return () => clearTimeout(timer);
  }, [outcome]);

  return {
    isCopied: outcome === 'copied',
    said: outcome && sayings[outcome],
    press: async (): Promise<void> => setOutcome((await copy()) ? 'copied' : 'refused'),
  };
}
