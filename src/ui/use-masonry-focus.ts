/** The keyboard focus in a masonry: which card has it, and how keys move it. */
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useState,
} from 'react';
import { flushSync } from 'react-dom';

import { readingKey } from './direction.tsx';
import { indexOfId, itemsBetween, itemTowards } from './masonry-lanes.ts';
import { type MasonryPage, type MasonryProps } from './use-masonry-page.ts';

export type MasonryFocus = {
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

export function useMasonryFocus<Item>(
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
