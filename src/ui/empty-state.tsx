/** Shown instead of an empty list or page: why it is empty, and what to do next. */
import { type ReactNode } from 'react';

import { passFocusOn } from './button.tsx';
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
