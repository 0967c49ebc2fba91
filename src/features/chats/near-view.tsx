/** Renders its content only when it comes near the viewport, so that a page with thousands of rows opens at once. */
import { type ReactNode, useEffect, useRef, useState } from 'react';

import styles from './chats.module.css';

type NearViewProps = {
  /** The first one is visible and rendered at once. */
  readonly isFirst: boolean;
  /**
   * The number of items in each of its lists. Together with the CSS properties `--row` and `--columns`
   * of the list, `--head` of each part and `--lead` above all, they give the height until then.
   */
  readonly counts: readonly number[];
  readonly children: () => ReactNode;
};

/** How far outside the viewport content is rendered. */
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
      // The second one counts inside of a box that scrolls by itself.
      { rootMargin: margin, scrollMargin: margin },
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

/** Splits a long list into blocks, each to be rendered in a `NearView`. */
export function toBlocks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_block, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
