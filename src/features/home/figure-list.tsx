/** Figures with bars that compare them, counting up when they come into view. */
import { useRef } from 'react';

import { formatCount } from '#lib/format-count';

import { useCountUp } from './count-up.ts';
import type { Figure } from './figures.ts';

import styles from './figure-list.module.css';

export type FigureListProps = { readonly figures: readonly Figure[] };

export function FigureList({ figures }: FigureListProps) {
  const list = useRef<HTMLUListElement>(null);
  const share = useCountUp(list);
  const most = figures[0]?.count ?? 0;

  return (
    <ul ref={list} className={styles.list}>
      {figures.map(({ name, count }) => (
        <li key={name} className={styles.row}>
          <span className={styles.name} dir="auto">
            {name}
          </span>
          <span className={styles.count}>{formatCount(Math.round(count * share))}</span>
          <span className={styles.track} aria-hidden="true">
            <span
              className={styles.bar}
              style={{ transform: `scaleX(${most === 0 ? 0 : (count / most) * share})` }}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}
