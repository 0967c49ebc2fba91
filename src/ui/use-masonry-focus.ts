/** Which card of a masonry has the focus or would get it, and how keys move it. */
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useState,
} from 'react';
import { flushSync } from 'react-dom';

import { itemsBetween, itemTowards } from './lanes.tsx';
import { indexOfId } from './masonry-layout.ts';
import { type MasonryProps } from './masonry-props.ts';
import { type MasonryPage } from './use-masonry-page.ts';

export type MasonryFocus = {
  /** The items to mount, in order. */
  readonly mounted: readonly number[];
  /** The one that Tab comes to. */
  readonly tabStop: number | undefined;
  readonly focusItem: (id: string) => void;
  readonly onFocus: (event: FocusEvent) => void;
  readonly onBlur: (event: FocusEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

type Current = {
  readonly id: string;
  readonly index: number;
  /** Whether the focus is on the card or in it. */
  readonly isFocused: boolean;
};

/** Controls that have no use for arrow keys of their own. */
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
      // The browser brings it on the screen as it does anything, below what sticks to the edges.
      cell?.scrollIntoView({ block: 'nearest' });
    };
    if (cellAt(index)) {
      take();
      return;
    }
    // It is mounted first, wherever it is; not at once, for React may be in the middle of drawing.
    queueMicrotask(() => {
      flushSync(() => setCurrent({ id: getKey(item), index, isFocused: true }));
      take();
    });
  }

  useLayoutEffect(() => {
    // The card with the focus has been taken away, and the browser has dropped the focus.
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
      const { target, key } = event;
      const isCard = target === cellAt(card.index);
      if (isCard && key === 'Enter' && onOpen) {
        event.preventDefault();
        onOpen(card.item);
      } else if (isCard || (target instanceof Element && target.matches(plainControls))) {
        const next = itemTowards(lanes, card.index, { key, page: page.shownHeight() });
        if (next !== undefined) {
          event.preventDefault();
          focusAt(next);
        }
      }
    },
  };
}

/** Items that show and others, each once and in order; -1 is none. */
function merge(shown: readonly number[], kept: readonly number[]): readonly number[] {
  const extra = kept.filter((index) => index >= 0 && !shown.includes(index));
  return extra.length === 0 ? shown : [...new Set([...shown, ...extra])].toSorted((a, b) => a - b);
}

/** The position of the card that holds an element; what a card opens on top of the page is not in it. */
function readIndex(target: EventTarget): number | undefined {
  const holder = target instanceof Element ? target.closest('[data-index], dialog') : null;
  const index = holder instanceof HTMLElement ? holder.dataset['index'] : undefined;
  return index === undefined ? undefined : Number(index);
}

function hasModifier({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || shiftKey;
}
