/** How many pictures are being made, on every screen while there are any. */
import { usePendingGenerations } from '#lib/pending';
import { Spinner } from '#ui/spinner';

import { texts } from './texts.ts';

import styles from './generation-badge.module.css';

export function GenerationBadge() {
  const count = usePendingGenerations((state) => state.count);
  return (
    <output className={styles.place}>
      {count > 0 && (
        <span className={styles.badge}>
          <Spinner size="small" />
          {texts.generations(count)}
        </span>
      )}
    </output>
  );
}
