/** Which part of a masonry is on the screen, how that part stays in place, and how its cards fade in. */
import { flushSync } from 'react-dom';

import { indexOfId, itemNearest, itemsBetween, type Lanes } from './masonry-lanes.ts';

import styles from './masonry.module.css';

/** The visible part, in px from the masonry's upper edge. */
export type Sight = {
  readonly width: number;
  /** Upper edge; negative while the masonry starts further down. */
  readonly top: number;
  readonly height: number;
};

/** The part that is mounted: the visible part and a margin. */
export type View = {
  readonly width: number;
  readonly from: number;
  readonly to: number;
  /** The visible part when this one was chosen. */
  readonly top: number;
  readonly height: number;
};

/** The margins in px, in the direction of the scrolling and against it. */
const ahead = 600;
const behind = 160;
/** Scrolling faster than this, in px between two measurements, does not turn round: all of the margin is ahead. */
const fast = 200;
/** Scrolling by less than this, in px, does not change the mounted part. */
const step = 96;
/** The largest width of a scroll bar in px, and how soon one disappears again in ms. */
const scrollBar = { maxWidth: 24, soonMs: 500 };
/** The assumed width in a hidden panel, which has none. */
const hiddenWidth = 360;

type Watched = {
  readonly list: HTMLElement;
  readonly onView: (view: View) => void;
  /** Called on every scroll and change of size, before React renders. */
  readonly onSight: (sight: Sight) => void;
};

export type Watch = {
  /** Starts watching. Returns the function that stops it. */
  readonly start: (watched: Watched) => () => void;
  /** Measures at once; undefined while nothing is watched. */
  readonly measure: () => Sight | undefined;
  /** Scrolls a height of the gallery to the upper edge of the visible part. */
  readonly scrollTo: (top: number) => void;
  /** The height of the visible part in px, without what sticky bars cover (`scroll-padding`). */
  readonly readClearHeight: () => number;
};

/** One scroll listener and one size observer, whatever the number of cards. */
export function createWatch(): Watch {
  let watched: Watched | undefined;
  /** The element that scrolls the gallery; undefined for the document. */
  let box: HTMLElement | undefined;
  let shown: View | undefined;
  let narrowedAt = -Infinity;

  /**
   * Where the gallery nearly fits, a scroll bar makes the cards narrower and so lower, disappears as it is
   * no longer needed, and appears again, in an endless loop. This keeps the narrow width instead.
   */
  function stabilize(sight: Sight): Sight {
    const wider = shown ? sight.width - shown.width : 0;
    if (wider < 0) {
      narrowedAt = performance.now();
    }
    const isByScrollBar = wider > 0 && wider <= scrollBar.maxWidth;
    return isByScrollBar && performance.now() - narrowedAt < scrollBar.soonMs
      ? { ...sight, width: sight.width - wider }
      : sight;
  }

  function measure(): Sight | undefined {
    if (watched === undefined) {
      return undefined;
    }
    const sight = stabilize(readSight(watched.list, box));
    const isScrolled = shown && Math.abs(sight.top - shown.top) >= step;
    if (isScrolled !== false || shown?.width !== sight.width || shown.height !== sight.height) {
      shown = toView(sight, sight.top - (shown?.top ?? 0));
      watched.onView(shown);
    }
    watched.onSight(sight);
    return sight;
  }

  function start(next: Watched): () => void {
    watched = next;
    shown = undefined;
    const { list } = next;
    box = findScroller(list);
    const onScroll = ({ target }: Event) => {
      if (target instanceof Node && target.contains(list)) {
        // Otherwise React may render a frame later, and fast scrolling shows an empty gallery.
        flushSync(measure);
      }
    };
    const observer = new ResizeObserver(() => measure());
    measure();
    observer.observe(list);
    // Content above may grow or shrink, which moves the list without a scroll event.
    for (const around of [list.parentElement, box ?? document.body]) {
      if (around) {
        observer.observe(around);
      }
    }
    // Scroll events do not bubble, so they are caught in the capture phase.
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    window.addEventListener('resize', measure);
    return () => {
      watched = undefined;
      observer.disconnect();
      document.removeEventListener('scroll', onScroll, { capture: true });
      window.removeEventListener('resize', measure);
    };
  }

  return {
    start,
    measure,
    scrollTo(top) {
      const now = measure();
      if (now) {
        (box ?? window).scrollBy({ top: top - now.top, behavior: 'instant' });
        measure();
      }
    },
    readClearHeight() {
      const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(
        box ?? document.documentElement,
      );
      const [above = 0, below = 0] = [scrollPaddingTop, scrollPaddingBottom].map(
        (padding) => Number.parseFloat(padding) || 0,
      );
      return Math.max(0, readHeight(box) - above - below);
    },
  };
}

/** The nearest element around the list that scrolls it, such as a dialog. */
function findScroller(list: HTMLElement): HTMLElement | undefined {
  for (let element = list.parentElement; element; element = element.parentElement) {
    if (element === document.body) {
      return undefined;
    }
    if (/auto|scroll/.test(getComputedStyle(element).overflowY)) {
      return element;
    }
  }
  return undefined;
}

function readSight(list: HTMLElement, box: HTMLElement | undefined): Sight {
  const { top } = list.getBoundingClientRect();
  return {
    width: list.clientWidth || hiddenWidth,
    top: (box ? box.getBoundingClientRect().top + box.clientTop : 0) - top,
    height: readHeight(box),
  };
}

const readHeight = (box: HTMLElement | undefined) =>
  box && box.clientHeight > 0 ? box.clientHeight : window.innerHeight;

function toView({ width, top, height }: Sight, scrolled: number): View {
  const before = Math.abs(scrolled) > fast ? 0 : behind;
  const after = ahead + behind - before;
  const [above, below] = scrolled < 0 ? [after, before] : [before, after];
  return { width, top, height, from: top - above, to: top + height + below };
}

/** A scroll position in a gallery, which can be stored as JSON. */
export type MasonrySnapshot = {
  /** The first visible item. */
  readonly firstId: string;
  /** How many px of it are above the upper edge; negative when it starts below the edge. */
  readonly offset: number;
};

export type Laid<Item> = {
  readonly items: readonly Item[];
  readonly getKey: (item: Item) => string;
  readonly lanes: Lanes;
};

/**
 * The scroll position after a new layout that keeps the item in the middle of the screen in place;
 * undefined when nothing is to be kept.
 */
export function topToKeep<Item>(
  before: Laid<Item>,
  after: Laid<Item>,
  { shown, now }: { readonly shown: Sight; readonly now: Sight },
): number | undefined {
  // At the start of the gallery, new items are to be seen.
  if (shown.top <= 0) {
    return undefined;
  }
  const middle = shown.top + shown.height / 2;
  const candidates = itemsBetween(before.lanes, shown.top, shown.top + shown.height);
  const nearest = itemNearest(before.lanes, middle) ?? -1;
  for (const index of [nearest, ...candidates]) {
    const item = before.items[index];
    const id = item === undefined ? undefined : before.getKey(item);
    const next = id === undefined ? -1 : indexOfId(after.items, after.getKey, { id, guess: index });
    if (next >= 0) {
      const part = partAt(before.lanes, index, middle);
      const shift = pointAt(after.lanes, next, part) - pointAt(before.lanes, index, part);
      return middle + shift - now.height / 2;
    }
  }
  return undefined;
}

export function toSnapshot<Item>(
  { items, getKey, lanes }: Laid<Item>,
  { top, height }: Sight,
): MasonrySnapshot | undefined {
  const [first] = itemsBetween(lanes, top, top + height);
  const item = first === undefined ? undefined : items[first];
  return first === undefined || item === undefined
    ? undefined
    : { firstId: getKey(item), offset: top - (lanes.tops[first] ?? 0) };
}

/** The scroll position of a snapshot; undefined while its item is not loaded. */
export function snapshotTop<Item>(
  { items, getKey, lanes }: Laid<Item>,
  { firstId, offset }: MasonrySnapshot,
): number | undefined {
  const index = indexOfId(items, getKey, { id: firstId });
  return index < 0 ? undefined : (lanes.tops[index] ?? 0) + offset;
}

/** The part of an item at a height, from 0, its upper edge, to 1, its lower edge. */
function partAt({ tops, heights }: Lanes, index: number, y: number): number {
  return Math.min(1, Math.max(0, (y - (tops[index] ?? 0)) / (heights[index] ?? 1)));
}

function pointAt({ tops, heights }: Lanes, index: number, part: number): number {
  return (tops[index] ?? 0) + part * (heights[index] ?? 0);
}

/** Cards that appear together fade in one after another, in s; the ninth and later ones together. */
const staggerS = 0.08;
const maxStaggered = 8;
/** A card is seen when this share of it is visible or within the margin, in px. */
const seenShare = 0.1;
const seenMargin = 50;
/** Above this speed, in px/ms, cards do not fade in, as the screen would stay empty. */
const flingSpeed = 2.5;
/** Scrolling has stopped after so many ms. */
const restMs = 100;

export type Reveal = {
  readonly isSeen: (id: string) => boolean;
  readonly reveal: (page: {
    readonly list: HTMLElement;
    readonly lanes: Lanes;
    readonly sight: Sight;
    readonly idAt: (index: number) => string | undefined;
  }) => void;
};

/** Fades cards in when they are seen for the first time. */
export function createReveal(): Reveal {
  const seen = new Set<string>();
  let last = { top: 0, time: 0, isFlung: false };

  return {
    isSeen: (id) => seen.has(id),
    reveal({ list, lanes, sight, idAt }) {
      const time = performance.now();
      const elapsed = time - last.time;
      if (sight.top !== last.top || elapsed > restMs) {
        last = {
          top: sight.top,
          time,
          isFlung: Math.abs(sight.top - last.top) > flingSpeed * elapsed,
        };
      }
      let order = 0;
      for (const cell of list.querySelectorAll<HTMLElement>(`.${styles['waiting']}`)) {
        const index = Number(cell.dataset['index']);
        if (isCardSeen(lanes, index, sight)) {
          seen.add(idAt(index) ?? '');
          cell.classList.remove(styles['waiting'] ?? '');
          if (!last.isFlung) {
            cell.style.animationDelay = `${Math.min(order, maxStaggered) * staggerS}s`;
            cell.classList.add(styles['arriving'] ?? '');
          }
          order += 1;
        }
      }
    },
  };
}

function isCardSeen(lanes: Lanes, index: number, { top, height }: Sight): boolean {
  const start = lanes.tops[index] ?? 0;
  const tall = lanes.heights[index] ?? 0;
  const within =
    Math.min(start + tall, top + height + seenMargin) - Math.max(start, top - seenMargin);
  return within >= seenShare * tall;
}
