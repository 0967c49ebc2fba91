/** Copies something, and says beside itself what came of it. */
import { Check, Copy as CopyIcon } from 'lucide-react';

import { IconButton } from './button.tsx';
import { type Copy, useCopied } from './use-copied.tsx';

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
