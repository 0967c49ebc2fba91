/** A link as a row of a list: two lines of text and an optional badge. */
import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';

import styles from './list-row.module.css';

type ListRowProps = {
  readonly to: string;
  readonly title: string;
  readonly subtitle: string;
  readonly badge?: string | undefined;
};

export function ListRow({ to, title, subtitle, badge }: ListRowProps) {
  return (
    <Link to={to} className={styles.row}>
      <span className={styles.mark} aria-hidden>
        {initialLetter(title)}
      </span>
      <span className={styles.texts}>
        <span className={styles.title} dir="auto">
          {title}
        </span>
        <span className={styles.details}>
          <span className={styles.subtitle}>{subtitle}</span>
          {badge && <span className={styles.badge}>{badge}</span>}
        </span>
      </span>
      <ChevronRight aria-hidden className={styles.arrow} size={20} />
    </Link>
  );
}

/** The first letter or digit, also when it has two code units. */
function initialLetter(title: string): string {
  return (/[\p{L}\p{N}]/u.exec(title)?.[0] ?? '#').toUpperCase();
}
