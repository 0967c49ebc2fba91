/** A masonry on its page: its layout, the part that shows, the place kept, and when more is wanted. */
import {
  type AnimationEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

import { extendLanes, type Lanes } from './lanes.tsx';
import { createLayouter, indexOfId } from './masonry-layout.ts';
import {
  type Laid,
  type MasonrySnapshot,
  snapshotTop,
  toSnapshot,
  topToKeep,
} from './masonry-place.ts';
import { type MasonryProps } from './masonry-props.ts';
import { createReveal } from './masonry-reveal.ts';
import { createWatch, type Sight, type View, type Watch } from './masonry-view.ts';

import styles from './masonry.module.css';

/** Ratio of a placeholder: that of most pictures. */
const placeholder = { width: 3, height: 4 };

export type MasonryPage = {
  readonly view: View | undefined;
  /** Of the items; undefined until the gallery is on the page. */
  readonly lanes: Lanes | undefined;
  /** The same with the placeholders. */
  readonly full: Lanes | undefined;
  readonly isSeen: (id: string) => boolean;
  /** Height of what shows, in px. */
  readonly shownHeight: () => number;
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
  const isBoxed = props.maxHeight !== undefined;
  const [watch] = useState(createWatch);
  const [reveal] = useState(createReveal);
  const [layOut] = useState(() => createLayouter<Item>());
  const onSight = useRef<(sight: Sight) => void>(undefined);
  const seen = useRef<Sight>(undefined);
  const view = useView({ watch, list, isBoxed, onSight });
  const lanes = view && layOut(items, getSize, { width: view.width, columns, gap });
  // Not for each step of scrolling: it is as long as the list.
  const full = useMemo(() => lanes && withPlaceholders(lanes, placeholders), [lanes, placeholders]);
  const laid = lanes && { items, getKey, lanes };

  function scrollTo(top: number): void {
    const now = watch.look();
    const box = isBoxed ? list.current?.parentElement : undefined;
    if (now) {
      (box ?? window).scrollBy({ top: top - now.top, behavior: 'instant' });
      watch.look();
    }
  }

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
        // Otherwise the layout for this width is yet to come, and what is on the page is the old one.
        seen.current = sight;
        revealCards();
        askForMore(sight);
      }
    };
  });
  const restore = useKeptPlace(laid, { seen, watch, scrollTo });
  // Without another look, which would lay out the page once more in each frame of a fling.
  useLayoutEffect(revealCards);

  return {
    view,
    lanes,
    full,
    isSeen: reveal.isSeen,
    shownHeight: () => seen.current?.height ?? window.innerHeight,
    scrollToItem(id) {
      const index = indexOfId(items, getKey, { id });
      const shown = watch.look();
      if (lanes && shown && index >= 0) {
        const middle = (lanes.tops[index] ?? 0) + (lanes.heights[index] ?? 0) / 2;
        scrollTo(middle - shown.height / 2);
      }
    },
    snapshot() {
      const now = watch.look();
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
  readonly isBoxed: boolean;
  readonly onSight: RefObject<((sight: Sight) => void) | undefined>;
};

function useView({ watch, list, isBoxed, onSight }: ViewOptions): View | undefined {
  const [view, setView] = useState<View>();

  useLayoutEffect(() => {
    const element = list.current;
    return element === null
      ? undefined
      : watch.start({
          list: element,
          box: isBoxed ? element.parentElement : null,
          onView: setView,
          onSight: (sight) => onSight.current?.(sight),
        });
  }, [list, watch, isBoxed, onSight]);

  return view;
}

/** Asks once for each number of items, and again when asking has been impossible in between. */
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
      watch.look();
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
  /** What showed while the layout that is now on the page was there. */
  readonly seen: RefObject<Sight | undefined>;
  readonly watch: Watch;
  /** Brings a height of the gallery to the upper edge of the screen. */
  readonly scrollTo: (top: number) => void;
};

/** Holds what is seen in its place when the layout changes, and goes back to a place of before. */
function useKeptPlace<Item>(
  laid: Laid<Item> | undefined,
  { seen, watch, scrollTo }: Page,
): (snapshot: MasonrySnapshot) => void {
  const last = useRef<Laid<Item>>(undefined);
  const pending = useRef<MasonrySnapshot>(undefined);

  function takePlace(): void {
    const top = pending.current && last.current && snapshotTop(last.current, pending.current);
    if (top !== undefined) {
      pending.current = undefined;
      scrollTo(top);
    }
  }

  useLayoutEffect(() => {
    const before = last.current;
    last.current = laid;
    if (pending.current) {
      takePlace();
      return;
    }
    if (before?.lanes === laid?.lanes) {
      return;
    }
    const shown = seen.current;
    const now = watch.look();
    const top = before && laid && shown && now && topToKeep(before, laid, { shown, now });
    if (now && top !== undefined && Math.abs(top - now.top) >= 1) {
      scrollTo(top);
    }
  });

  useEffect(() => {
    // Who scrolls does not want to be taken elsewhere by what is loaded later.
    const forget = () => {
      pending.current = undefined;
    };
    const deeds = ['wheel', 'touchmove', 'keydown'] as const;
    deeds.forEach((deed) => window.addEventListener(deed, forget, { passive: true }));
    return () => deeds.forEach((deed) => window.removeEventListener(deed, forget));
  }, []);

  return (snapshot) => {
    pending.current = snapshot;
    takePlace();
  };
}
