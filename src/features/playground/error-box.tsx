/** An error with a button that copies it. */
import { type ReactNode } from 'react';

import { useCopyText } from '#lib/copy-text';
import { CopyButton } from '#ui/copy-button';
import { Notice } from '#ui/notice';

import { texts } from './texts.ts';

import styles from './answer.module.css';
import shared from './playground.module.css';

type ErrorBoxProps = {
  readonly reason: string;
  readonly hint?: string | undefined;
  readonly action?: ReactNode;
};

export function ErrorBox({ reason, hint, action }: ErrorBoxProps) {
  const copyText = useCopyText();
  return (
    <Notice
      tone="error"
      action={
        <span className={styles.row}>
          {action}
          <CopyButton label={texts.copyError} copy={() => copyText(reason)} />
        </span>
      }
    >
      <strong>{texts.error}</strong>
      <p className={styles.reason}>{reason}</p>
      {hint !== undefined && <p className={shared.hint}>{hint}</p>}
    </Notice>
  );
}
