/** A short message in the page: what happened, or what is wrong, with at most one thing to do. */
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { type ReactNode } from 'react';

import { IconButton } from './button.tsx';

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
  /** The one thing to do about it. */
  readonly action?: ReactNode;
  /** It stands in a live region, which tells it; alone it is one itself. */
  readonly isHeard?: boolean;
  /** Shows a close button with this effect. */
  readonly onClose?: () => void;
};

/** Errors interrupt a screen reader, the rest waits its turn. */
export function Notice({ tone, children, id, action, isHeard = false, onClose }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div
      id={id}
      role={isHeard ? undefined : tone === 'error' ? 'alert' : 'status'}
      className={`${styles.notice} ${styles[tone]} ${action ? styles.acting : ''}`}
    >
      <Icon aria-hidden="true" size={20} className={styles.icon} />
      <div className={styles.text}>
        <div>{children}</div>
        {action}
      </div>
      {onClose && (
        <IconButton
          label="Close"
          icon={<X aria-hidden="true" size={20} />}
          onClick={onClose}
          className={styles.close}
        />
      )}
    </div>
  );
}
