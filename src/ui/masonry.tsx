/** A gallery of cards of different heights in lanes, of which only those near the screen are mounted. */
import { useImperativeHandle, useRef } from 'react';

import { MasonryCell } from './masonry-cell.tsx';
import { type MasonryProps } from './masonry-props.ts';
import { useMasonryFocus } from './use-masonry-focus.ts';
import { useMasonryPage } from './use-masonry-page.ts';

import styles from './masonry.module.css';

export { useColumns } from './columns.ts';
export { type MasonryCard } from './masonry-cell.tsx';
export { type MasonrySnapshot } from './masonry-place.ts';
export { type MasonryHandle } from './masonry-props.ts';

/**
 * A list for assistive tools, in the order of the data, whose items know their position and how many
 * there are. One card at a time is in the order of Tab; arrow keys, Home, End, Page Up and Page Down
 * go from card to card, also to those that are not mounted, Enter opens, and Tab enters the card.
 * The card with the focus stays mounted.
 */
export function Masonry<Item>({ ref, ...props }: MasonryProps<Item>) {
  const { label, items, getKey, getName, render, total, placeholders = 0, foot, maxHeight } = props;
  const list = useRef<HTMLUListElement>(null);
  const page = useMasonryPage(props, list);
  const focus = useMasonryFocus(props, { list, page });
  const { lanes, full } = page;

  useImperativeHandle(ref, () => ({
    scrollToItem(id, { focus: isFocused = false } = {}) {
      if (isFocused) {
        focus.focusItem(id);
      } else {
        page.scrollToItem(id);
      }
    },
    snapshot: page.snapshot,
    restore: page.restore,
  }));

  const gallery = (
    // The list only listens to keys that its cards have not used.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul
      ref={list}
      // Safari takes the role away from a list without bullets.
      // oxlint-disable-next-line jsx-a11y/no-redundant-roles
      role="list"
      className={styles.list}
      aria-label={label}
      style={full && { paddingBottom: full.height }}
      onFocus={focus.onFocus}
      onBlur={focus.onBlur}
      onKeyDown={focus.onKeyDown}
      onAnimationEnd={page.onAnimationEnd}
    >
      {lanes &&
        focus.mounted.map((index) => {
          const item = items[index];
          return (
            item !== undefined && (
              <MasonryCell
                key={getKey(item)}
                item={item}
                index={index}
                name={getName(item)}
                setSize={total ?? -1}
                left={lanes.lefts[lanes.lane[index] ?? 0] ?? 0}
                top={lanes.tops[index] ?? 0}
                width={lanes.laneWidth}
                height={lanes.heights[index] ?? 0}
                tabIndex={index === focus.tabStop ? 0 : -1}
                isSeen={page.isSeen(getKey(item))}
                render={render}
              />
            )
          );
        })}
      {full &&
        Array.from({ length: placeholders }, (_placeholder, position) => {
          const index = items.length + position;
          return (
            <li
              key={`placeholder ${position}`}
              aria-hidden
              className={`${styles.cell} ${styles.placeholder}`}
              style={{
                width: full.laneWidth,
                height: full.heights[index] ?? 0,
                transform: `translate(${full.lefts[full.lane[index] ?? 0] ?? 0}px, ${full.tops[index] ?? 0}px)`,
              }}
            />
          );
        })}
      {foot !== undefined && (
        <li className={styles.foot} style={full && { transform: `translateY(${full.height}px)` }}>
          {foot}
        </li>
      )}
    </ul>
  );

  return maxHeight === undefined ? (
    gallery
  ) : (
    <div className={styles.box} style={full && { maxHeight }}>
      {gallery}
    </div>
  );
}
