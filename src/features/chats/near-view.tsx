/** Draws its content only once it comes near the screen, so that a page of thousands opens at once. */
import { type ReactNode, useEffect, useRef, useState } from 'react';

import styles from './near-view.module.css';

type NearViewProps = {
  /** What is seen first is drawn at once. */
  readonly isFirst: boolean;
  /**
   * How many items each of its lists has. With the list's `--row` and `--columns`, the `--head` of each
   * and the `--lead` above all, it gives the height until it is drawn.
   */
  readonly counts: readonly number[];
  readonly children: () => ReactNode;
};

/** How far outside the screen content is prepared. */
const margin = '1000px 0px';

export function NearView({ isFirst, counts, children }: NearViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(isFirst);

  useEffect(() => {
    if (isNear || !box.current) {
      return undefined;
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) {
          setIsNear(true);
        }
      },
      { rootMargin: margin },
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [isNear]);

  const rows = counts.map((count) => `round(up, ${count} / var(--columns, 1), 1)`).join(' + ');
  const height = `calc((${rows}) * var(--row) + ${counts.length} * var(--head, 0px) + var(--lead, 0px))`;
  return isNear ? (
    <div className={styles.drawn} style={{ containIntrinsicBlockSize: `auto ${height}` }}>
      {children()}
    </div>
  ) : (
    <div ref={box} style={{ blockSize: height }} />
  );
}
