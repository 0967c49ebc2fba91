/** A button that copies a text and shows for two seconds whether that worked. */
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

const messageMs = 2000;
const messages = { copied: 'Copied!', refused: 'Could not copy' } as const;

/** Copies a text; resolves to whether that worked. */
type Copy = () => Promise<boolean>;

/** `said` is the message to show instead of the label or beside it; `press` copies. */
export function useCopied(copy: Copy) {
  const [outcome, setOutcome] = useState<keyof typeof messages>();

  useEffect(() => {
    if (outcome === undefined) {
      return undefined;
    }
    const timer = setTimeout(setOutcome, messageMs, undefined);
    return () => clearTimeout(timer);
  }, [outcome]);

  return {
    isCopied: outcome === 'copied',
    said: outcome && messages[outcome],
    press: async (): Promise<void> => setOutcome((await copy()) ? 'copied' : 'refused'),
  };
}
