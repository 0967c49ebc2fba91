/** A gallery of cards of different heights. Only the cards near the screen are mounted. */
import {
  memo,
  type ReactNode,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
} from 'react';
import { flushSync } from 'react-dom';

import { readingKey } from './direction.tsx';
import { indexOfId, itemsBetween, itemTowards } from './masonry-lanes.ts';
import {
  type MasonryCard,
  type MasonryProps,
  useMasonryPage,
  type MasonryPage,
} from './use-masonry-page.ts';

import styles from './masonry.module.css';

export { type MasonrySnapshot } from './masonry-view.ts';
export { type MasonryCard, type MasonryHandle } from './use-masonry-page.ts';

/**
 * A list for screen readers, in the order of the data; each item has its position and the total. Tab
 * reaches one card; arrow keys, Home, End, Page Up and Page Down move between cards, mounted or not.
 * Enter opens a card, and Tab moves into it. The focused card stays mounted.
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
    // The list only handles keys that its cards have not used.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul
      ref={list}
      // Safari removes the role from a list without bullets.
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
                transform: toPlace(full.lefts[full.lane[index] ?? 0] ?? 0, full.tops[index] ?? 0),
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

/** By px from the corner where the first lane begins, which is the right one where lines run to the left. */
function toPlace(x: number, y: number): string {
  return `translate(calc(${x}px * var(--direction)), ${y}px)`;
}

type MasonryCellProps = MasonryCard & {
  readonly item: unknown;
  readonly name: string;
  readonly setSize: number;
  readonly left: number;
  readonly top: number;
  readonly isSeen: boolean;
  /** A method, so that TypeScript accepts a renderer of any item type: `memo` loses the type. */
  render(item: unknown, card: MasonryCard): ReactNode;
};

/** Memoized: otherwise each card would render in each frame of scrolling. */
const MasonryCell = memo(Cell);

function Cell(props: MasonryCellProps) {
  const { name, setSize, left, top, isSeen, index, width, height, tabIndex } = props;
  // Fixed at the first render: `createReveal` removes the class, and React must not add it again.
  const [className] = useState(isSeen ? styles.cell : `${styles.cell} ${styles.waiting}`);
  return (
    // Focusable, as arrow keys move between the items.
    <li
      className={className}
      style={{ width, height, transform: toPlace(left, top) }}
      data-index={index}
      tabIndex={tabIndex}
      aria-label={name}
      aria-posinset={index + 1}
      aria-setsize={setSize}
    >
      {props.render(props.item, { index, width, height, tabIndex })}
    </li>
  );
}

type Columns = {
  /** Used where no other rule matches. */
  readonly otherwise: number;
  /** Columns while the window is narrower than so many px. The narrowest matching rule is used. */
  readonly below: Readonly<Record<number, number>>;
};

/** The number of columns for the width of the window, for example `{ otherwise: 4, below: { 800: 2, 1400: 3 } }`. */
export function useColumns(columns: Columns): number {
  return useSyncExternalStore(
    onResize,
    () => columnsAt(columns, window.innerWidth),
    () => columns.otherwise,
  );
}

function columnsAt({ otherwise, below }: Columns, width: number): number {
  const rules = Object.entries(below).toSorted(([a], [b]) => Number(a) - Number(b));
  return rules.find(([limit]) => width < Number(limit))?.[1] ?? otherwise;
}

function onResize(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

type MasonryFocus = {
  /** The indices of the items to mount, in order. */
  readonly mounted: readonly number[];
  /** The index of the item that Tab reaches. */
  readonly tabStop: number | undefined;
  readonly focusItem: (id: string) => void;
  readonly onFocus: (event: FocusEvent) => void;
  readonly onBlur: (event: FocusEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

type Current = {
  readonly id: string;
  readonly index: number;
  /** Whether the card or one of its controls has the focus. */
  readonly isFocused: boolean;
};

/** Controls that do not use arrow keys themselves. */
const plainControls = 'button:not([role]), a[href], input[type="checkbox"]';

function useMasonryFocus<Item>(
  { items, getKey, keep = [], onOpen }: MasonryProps<Item>,
  { list, page }: { readonly list: RefObject<HTMLUListElement | null>; readonly page: MasonryPage },
): MasonryFocus {
  const [current, setCurrent] = useState<Current>();
  const { lanes, view } = page;
  const place = (id: string, guess?: number) =>
    indexOfId(items, getKey, guess === undefined ? { id } : { id, guess });
  const currentIndex = current ? place(current.id, current.index) : -1;

  const shown = lanes && view ? itemsBetween(lanes, view.from, view.to) : [];
  const kept = keep.map((id) => place(id));
  const mounted = merge(shown, current?.isFocused === true ? [...kept, currentIndex] : kept);
  const tabStop = mounted.includes(currentIndex)
    ? currentIndex
    : lanes && view && itemsBetween(lanes, view.top, view.to)[0];

  const cellAt = (index: number) =>
    list.current?.querySelector<HTMLElement>(`:scope > [data-index="${index}"]`);

  function findCard(target: EventTarget): { index: number; item: Item } | undefined {
    const index = readIndex(target);
    const item = index === undefined ? undefined : items[index];
    return index === undefined || item === undefined ? undefined : { index, item };
  }

  function focusAt(index: number): void {
    const item = items[index];
    if (item === undefined) {
      return;
    }
    const take = () => {
      const cell = cellAt(index);
      cell?.focus({ preventScroll: true });
      // `scroll-padding` keeps it clear of sticky bars. A card taller than what they leave free shows its beginning.
      const isTooTall = cell && cell.offsetHeight > page.readClearHeight();
      cell?.scrollIntoView({ block: isTooTall ? 'start' : 'nearest' });
    };
    if (cellAt(index)) {
      take();
      return;
    }
    // It is mounted first; in a microtask, as React may be rendering.
    queueMicrotask(() => {
      flushSync(() => setCurrent({ id: getKey(item), index, isFocused: true }));
      take();
    });
  }

  useLayoutEffect(() => {
    // The focused card was removed, and the focus is lost.
    if (
      current?.isFocused === true &&
      currentIndex < 0 &&
      document.activeElement === document.body
    ) {
      const next = items[Math.min(current.index, items.length - 1)];
      const cell = next && cellAt(Math.min(current.index, items.length - 1));
      cell?.focus({ preventScroll: true });
    }
  });

  return {
    mounted,
    tabStop,
    focusItem: (id) => focusAt(place(id)),
    onFocus({ target }) {
      const card = findCard(target);
      if (card) {
        setCurrent({ id: getKey(card.item), index: card.index, isFocused: true });
      }
    },
    onBlur({ relatedTarget }) {
      if (!(relatedTarget instanceof Node && list.current?.contains(relatedTarget) === true)) {
        setCurrent((last) => last && { ...last, isFocused: false });
      }
    },
    onKeyDown(event) {
      const card = findCard(event.target);
      if (!card || !lanes || event.defaultPrevented || hasModifier(event)) {
        return;
      }
      const { target } = event;
      const key = readingKey(event.key);
      const isCard = target === cellAt(card.index);
      if (isCard && key === 'Enter' && onOpen) {
        event.preventDefault();
        onOpen(card.item);
      } else if (isCard || (target instanceof Element && target.matches(plainControls))) {
        const next = itemTowards(lanes, card.index, { key, page: page.readClearHeight() });
        if (next !== undefined) {
          event.preventDefault();
          focusAt(next);
        }
      }
    },
  };
}

/** Both lists of indices without duplicates, in order; -1 is skipped. */
function merge(shown: readonly number[], kept: readonly number[]): readonly number[] {
  const extra = kept.filter((index) => index >= 0 && !shown.includes(index));
  return extra.length === 0 ? shown : [...new Set([...shown, ...extra])].toSorted((a, b) => a - b);
}

/** The index of the card that contains an element. A dialog of a card does not count as part of it. */
function readIndex(target: EventTarget): number | undefined {
  const holder = target instanceof Element ? target.closest('[data-index], dialog') : null;
  const index = holder instanceof HTMLElement ? holder.dataset['index'] : undefined;
  return index === undefined ? undefined : Number(index);
}

function hasModifier({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || shiftKey;
}
