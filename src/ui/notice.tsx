/** A short message in the page: what happened, or what is wrong, with at most one action. */
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { type ReactNode } from 'react';

import { IconButton } from './button.tsx';
import { uiTexts } from './texts.ts';

import styles from './notice.module.css';

type Tone = 'info' | 'success' | 'warning' | 'error';

const icons = {
  info: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  error: CircleAlert,
} as const satisfies Record<Tone, unknown>;

type NoticeProps = {
  readonly tone: Tone;
  readonly children: ReactNode;
  readonly id?: string;
  /** A button or a link. */
  readonly action?: ReactNode;
  /** It is inside of a live region; otherwise it is one itself. */
  readonly isInLiveRegion?: boolean;
  /** Adds a close button. */
  readonly onClose?: () => void;
};

/** Errors interrupt a screen reader; other notices wait. */
export function Notice({
  tone,
  children,
  id,
  action,
  isInLiveRegion = false,
  onClose,
}: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div
      id={id}
      role={isInLiveRegion ? undefined : tone === 'error' ? 'alert' : 'status'}
      className={`${styles.notice} ${styles[tone]} ${action ? styles.acting : ''}`}
    >
      <Icon aria-hidden="true" size={20} className={styles.icon} />
      <div className={styles.text}>
        <div>{children}</div>
        {action}
      </div>
      {onClose && (
        <IconButton
          label={uiTexts.close}
          icon={<X aria-hidden="true" size={20} />}
          onClick={onClose}
          className={styles.close}
        />
      )}
    </div>
  );
}
