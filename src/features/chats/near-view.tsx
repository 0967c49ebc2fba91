/** Draws its content only once it comes near the screen, so that a page of thousands opens at once. */
import { type ReactNode, useEffect, useRef, useState } from 'react';

import styles from './near-view.module.css';

type NearViewProps = {
  /** What is seen first is drawn at once. */
  readonly isFirst: boolean;
  /** How many items there are; with the list's `--row` and `--columns` it gives the height. */
  readonly count: number;
  readonly children: () => ReactNode;
};

/** How far outside the screen content is prepared. */
const margin = '1000px 0px';

export function NearView({ isFirst, count, children }: NearViewProps) {
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

  const height = `calc(round(up, ${count} / var(--columns, 1), 1) * var(--row))`;
  return isNear ? (
    <div className={styles.drawn} style={{ containIntrinsicBlockSize: `auto ${height}` }}>
      {children()}
    </div>
  ) : (
    <div ref={box} style={{ blockSize: height }} />
  );
}
