/** The state of a masonry: its layout, the mounted part, the scroll position, and loading more. */
import {
  type AnimationEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

import {
  createLayouter,
  extendLanes,
  indexOfId,
  type ItemSize,
  type Lanes,
} from './masonry-lanes.ts';
import {
  createReveal,
  createWatch,
  type Laid,
  type MasonrySnapshot,
  type Sight,
  snapshotTop,
  toSnapshot,
  topToKeep,
  type View,
  type Watch,
} from './masonry-view.ts';

import styles from './masonry.module.css';

/** The position and size of a card. */
export type MasonryCard = {
  /** Position in the list, counted from 0. */
  readonly index: number;
  /** In px. */
  readonly width: number;
  readonly height: number;
  /**
   * For each control of the card: Tab moves from a card to its own controls and then out of the gallery,
   * and skips the controls of the other cards.
   */
  readonly tabIndex: 0 | -1;
};

export type MasonryHandle = {
  /** Scrolls to an item, mounted or not; with `focus` its card gets the focus. */
  readonly scrollToItem: (id: string, options?: { readonly focus?: boolean }) => void;
  /** The current scroll position; undefined while the gallery is not visible. */
  readonly snapshot: () => MasonrySnapshot | undefined;
  /** Scrolls back, at once or when the item is loaded, unless the user scrolls first. */
  readonly restore: (snapshot: MasonrySnapshot) => void;
};

export type MasonryProps<Item> = {
  /** The accessible name of the list. */
  readonly label: string;
  /**
   * In reading order. Unchanged items must be the same objects as before. The visible part stays in place
   * when they change; another list (another search or order) needs another `key`.
   */
  readonly items: readonly Item[];
  /** The unique key of an item. */
  readonly getKey: (item: Item) => string;
  /** The size of an item, known before it is rendered and dependent on the item alone. */
  readonly getSize: (item: Item) => ItemSize;
  /** The accessible name of a card. */
  readonly getName: (item: Item) => string;
  /**
   * Renders a card, which fills its cell (100 % both ways). Its controls get `card.tabIndex`. Cards are
   * rendered again when this function changes, so it must be stable.
   */
  readonly render: (item: Item, card: MasonryCard) => ReactNode;
  readonly columns: number;
  /** Between cards, in px. */
  readonly gap?: number;
  /** The number of all items, including those not loaded. Absent when unknown. */
  readonly total?: number | undefined;
  /** Items that always stay mounted, such as the one whose menu is open. */
  readonly keep?: readonly string[];
  /** The number of placeholders after the last item, while more are loading. */
  readonly placeholders?: number;
  /** The last row of the list: "loading", the end, or a failure with its button. */
  readonly foot?: ReactNode;
  /** Gives the gallery a scroll box of its own of at most so many px. Otherwise what is around it scrolls. */
  readonly maxHeight?: number;
  /** The gallery asks for more so many px before its end. */
  readonly endMargin?: number;
  /** Loads more; called once for each number of items. Absent while loading, after a failure, and at the end. */
  readonly onNearEnd?: (() => void) | undefined;
  /** Called for Enter on a focused card. */
  readonly onOpen?: (item: Item) => void;
  readonly ref?: Ref<MasonryHandle>;
};

/** The ratio of most pictures. */
const placeholder = { width: 3, height: 4 };

export type MasonryPage = {
  readonly view: View | undefined;
  /** The layout of the items; undefined until the gallery is mounted. */
  readonly lanes: Lanes | undefined;
  /** The layout with the placeholders. */
  readonly full: Lanes | undefined;
  readonly isSeen: (id: string) => boolean;
  /** The height of the visible part without what sticky bars cover, in px. */
  readonly readClearHeight: () => number;
  readonly scrollToItem: (id: string) => void;
  readonly snapshot: () => MasonrySnapshot | undefined;
  readonly restore: (snapshot: MasonrySnapshot) => void;
  readonly onAnimationEnd: (event: AnimationEvent) => void;
};

export function useMasonryPage<Item>(
  props: MasonryProps<Item>,
  list: RefObject<HTMLUListElement | null>,
): MasonryPage {
  const { items, getKey, getSize, columns, gap = 12, placeholders = 0 } = props;
  const [watch] = useState(createWatch);
  const [reveal] = useState(createReveal);
  const [layOut] = useState(() => createLayouter<Item>());
  const onSight = useRef<(sight: Sight) => void>(undefined);
  const seen = useRef<Sight>(undefined);
  const view = useView({ watch, list, onSight });
  const lanes = view && layOut(items, getSize, { width: view.width, columns, gap });
  // Memoized, as it copies arrays as long as the list.
  const full = useMemo(() => lanes && withPlaceholders(lanes, placeholders), [lanes, placeholders]);
  const laid = lanes && { items, getKey, lanes };

  const askForMore = useAskForMore(props, { lanes, watch });
  function revealCards(): void {
    if (list.current && lanes && seen.current) {
      const idAt = (index: number) => items[index] && getKey(items[index]);
      reveal.reveal({ list: list.current, lanes, sight: seen.current, idAt });
    }
  }

  useLayoutEffect(() => {
    onSight.current = (sight) => {
      if (sight.width === lanes?.width) {
        // Otherwise the layout on the page is for another width.
        seen.current = sight;
        revealCards();
        askForMore(sight);
      }
    };
  });
  const restore = useKeptPlace(laid, { seen, watch });
  // Uses the last measurement: a new one would force another layout in each frame of fast scrolling.
  useLayoutEffect(revealCards);

  return {
    view,
    lanes,
    full,
    isSeen: reveal.isSeen,
    readClearHeight: watch.readClearHeight,
    scrollToItem(id) {
      const index = indexOfId(items, getKey, { id });
      const shown = watch.measure();
      if (lanes && shown && index >= 0) {
        const middle = (lanes.tops[index] ?? 0) + (lanes.heights[index] ?? 0) / 2;
        watch.scrollTo(middle - shown.height / 2);
      }
    },
    snapshot() {
      const now = watch.measure();
      return now && laid && toSnapshot(laid, now);
    },
    restore,
    onAnimationEnd({ target }) {
      if (target instanceof HTMLElement) {
        target.classList.remove(styles['arriving'] ?? '');
      }
    },
  };
}

function withPlaceholders(lanes: Lanes, count: number): Lanes {
  return count === 0
    ? lanes
    : extendLanes(
        lanes,
        Array.from({ length: count }, () => placeholder),
      );
}

type ViewOptions = {
  readonly watch: Watch;
  readonly list: RefObject<HTMLUListElement | null>;
  readonly onSight: RefObject<((sight: Sight) => void) | undefined>;
};

function useView({ watch, list, onSight }: ViewOptions): View | undefined {
  const [view, setView] = useState<View>();

  useLayoutEffect(() => {
    const element = list.current;
    return element === null
      ? undefined
      : watch.start({
          list: element,
          onView: setView,
          onSight: (sight) => onSight.current?.(sight),
        });
  }, [list, watch, onSight]);

  return view;
}

/** Calls `onNearEnd` once for each number of items, and again after it was absent in between. */
function useAskForMore<Item>(
  { items, endMargin = 300, onNearEnd }: MasonryProps<Item>,
  { lanes, watch }: { readonly lanes: Lanes | undefined; readonly watch: Watch },
): (sight: Sight) => void {
  const askedAt = useRef<number>(undefined);
  const canAsk = onNearEnd !== undefined;

  useLayoutEffect(() => {
    if (!canAsk) {
      askedAt.current = undefined;
    }
  }, [canAsk]);
  useEffect(() => {
    if (canAsk) {
      watch.measure();
    }
  }, [watch, canAsk]);

  return ({ top, height }) => {
    const isNear = lanes !== undefined && top + height >= lanes.height - endMargin;
    if (isNear && items.length > 0 && askedAt.current !== items.length && onNearEnd) {
      askedAt.current = items.length;
      onNearEnd();
    }
  };
}

type Page = {
  /** The last measurement with the layout that is on the page. */
  readonly seen: RefObject<Sight | undefined>;
  readonly watch: Watch;
};

/** Keeps the visible part in place when the layout changes. Returns the function that restores a snapshot. */
function useKeptPlace<Item>(
  laid: Laid<Item> | undefined,
  { seen, watch }: Page,
): (snapshot: MasonrySnapshot) => void {
  const last = useRef<Laid<Item>>(undefined);
  const pending = useRef<MasonrySnapshot>(undefined);

  function scrollToPending(): void {
    const top = pending.current && last.current && snapshotTop(last.current, pending.current);
    if (top !== undefined) {
      pending.current = undefined;
      watch.scrollTo(top);
    }
  }

  useLayoutEffect(() => {
    const before = last.current;
    last.current = laid;
    if (pending.current) {
      scrollToPending();
      return;
    }
    if (before?.lanes === laid?.lanes) {
      return;
    }
    const shown = seen.current;
    const now = watch.measure();
    const top = before && laid && shown && now && topToKeep(before, laid, { shown, now });
    if (now && top !== undefined && Math.abs(top - now.top) >= 1) {
      watch.scrollTo(top);
    }
  });

  useEffect(() => {
    // Once the user scrolls, items that load later must not move the page.
    const forget = () => {
      pending.current = undefined;
    };
    const inputs = ['wheel', 'touchmove', 'keydown'] as const;
    inputs.forEach((input) => window.addEventListener(input, forget, { passive: true }));
    return () => inputs.forEach((input) => window.removeEventListener(input, forget));
  }, []);

  return (snapshot) => {
    pending.current = snapshot;
    scrollToPending();
  };
}
