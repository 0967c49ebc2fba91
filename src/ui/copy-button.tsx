/** A button that copies a text and shows for two seconds whether that worked. */
import { Check, Copy as CopyIcon } from 'lucide-react';

import { type Copy, IconButton, useCopied } from './button.tsx';

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
