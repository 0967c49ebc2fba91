/** A raised surface for a form, a list or a panel. */
import { type ReactNode } from 'react';

import styles from './card.module.css';

type CardProps = {
  readonly title?: string;
  /** At the end of the title's line: a button, a count. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string | undefined;
};

export function Card({ title, aside, children, className }: CardProps) {
  return (
    <section className={[styles.card, className].filter(Boolean).join(' ')}>
      {title !== undefined && (
        <div className={styles.header}>
          <h2>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
