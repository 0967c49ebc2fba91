/** What went wrong, with a button that copies it. */
import { type ReactNode } from 'react';

import { Notice } from '#ui/notice';

import { CopyButton } from './copy-button.tsx';
import { texts } from './texts.ts';

import styles from './playground.module.css';

type ErrorBoxProps = {
  readonly reason: string;
  readonly hint?: string | undefined;
  readonly action?: ReactNode;
};

export function ErrorBox({ reason, hint, action }: ErrorBoxProps) {
  return (
    <Notice
      tone="error"
      action={
        <span className={styles.row}>
          {action}
          <CopyButton label={texts.copyError} text={() => reason} />
        </span>
      }
    >
      <strong>{texts.error}</strong>
      <p className={styles.reason}>{reason}</p>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
    </Notice>
  );
}
