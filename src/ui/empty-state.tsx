/** Shown instead of an empty list or page: why it is empty, and what to do next. */
import { type ReactNode } from 'react';

import { Mascot, type Mood } from './mascot.tsx';

import styles from './empty-state.module.css';

type EmptyStateProps = {
  readonly mood: Mood;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
};

export function EmptyState({ mood, title, children, action }: EmptyStateProps) {
  return (
    <div ref={passFocusOn} className={styles.state}>
      <Mascot mood={mood} className={styles.mascot} />
      <p className={styles.title}>{title}</p>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {action}
    </div>
  );
}

/**
 * A `ref` for an element that may be removed while it has the focus, such as a button that its own
 * press removes. The focus then goes to the nearest element around it that can hold it
 * (`tabIndex={-1}`), at the latest to the page's content.
 */
export function passFocusOn(part: HTMLElement | null): () => void {
  return () => {
    if (part?.contains(document.activeElement) === true) {
      part.parentElement?.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
    }
  };
}
