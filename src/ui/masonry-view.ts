/** What a masonry sees of itself: how wide it is, and which part of it is on the screen. */
import { flushSync } from 'react-dom';

/** In px; heights count from the masonry's upper edge. */
export type Sight = {
  readonly width: number;
  /** Upper edge of what shows: negative while the masonry begins further down. */
  readonly top: number;
  /** Height of what shows. */
  readonly height: number;
};

/** The part that is mounted: what shows, and some way on. */
export type View = {
  readonly width: number;
  readonly from: number;
  readonly to: number;
  /** What showed when this part was chosen. */
  readonly top: number;
  readonly height: number;
};

/** Cards are mounted so far, in px, beyond what shows: where the scrolling leads to, and where it comes from. */
const ahead = 600;
const behind = 160;
/** From one look to the next, in px: so fast nobody turns round, and what is behind is needed ahead. */
const fast = 200;
/** Scrolling by less than this, in px, mounts nothing. */
const step = 96;
/** A scroll bar is at most so wide, in px, and one that goes again goes so soon, in ms. */
const scrollBar = { widest: 24, soonMs: 500 };
/** For a masonry in a hidden panel, which has no width. */
const widthUnlaid = 360;

type Watched = {
  readonly list: HTMLElement;
  /** The box that scrolls, if it is not the document. */
  readonly box: HTMLElement | null;
  readonly onView: (view: View) => void;
  /** Told of every scroll and every change of size, before React draws. */
  readonly onSight: (sight: Sight) => void;
};

export type Watch = {
  /** Begins to watch; what it returns ends that. */
  readonly start: (watched: Watched) => () => void;
  /** Looks at once; undefined while nothing is watched. */
  readonly look: () => Sight | undefined;
};

/** One listener for every scroll and one observer of size, however many cards there are. */
export function createWatch(): Watch {
  let watched: Watched | undefined;
  let shown: View | undefined;
  let narrowedAt = -Infinity;

  /**
   * Where all of it nearly fits, a scroll bar makes cards narrower and thereby lower, goes since it is not
   * needed any more, and comes again: for ever. They stay narrow instead.
   */
  function steady(sight: Sight): Sight {
    const wider = shown ? sight.width - shown.width : 0;
    if (wider < 0) {
      narrowedAt = performance.now();
    }
    const isByScrollBar = wider > 0 && wider <= scrollBar.widest;
    return isByScrollBar && performance.now() - narrowedAt < scrollBar.soonMs
      ? { ...sight, width: sight.width - wider }
      : sight;
  }

  function look(): Sight | undefined {
    if (watched === undefined) {
      return undefined;
    }
    const sight = steady(readSight(watched));
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
    const { list, box } = next;
    const onScroll = ({ target }: Event) => {
      if (target instanceof Node && target.contains(list)) {
        // Left to itself React may draw a frame later, and a fling outruns what is mounted.
        flushSync(look);
      }
    };
    const observer = new ResizeObserver(() => look());
    look();
    observer.observe(box ?? list);
    if (!box) {
      // What stands above may grow or shrink, and bring the list on the screen without a scroll.
      observer.observe(document.body);
    }
    // Scrolling does not bubble, but is caught on its way down, whatever it is that scrolls.
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    window.addEventListener('resize', look);
    return () => {
      watched = undefined;
      observer.disconnect();
      document.removeEventListener('scroll', onScroll, { capture: true });
      window.removeEventListener('resize', look);
    };
  }

  return { start, look };
}

function readSight({ list, box }: Watched): Sight {
  const { top } = list.getBoundingClientRect();
  return {
    width: list.clientWidth || widthUnlaid,
    top: (box ? box.getBoundingClientRect().top + box.clientTop : 0) - top,
    height: box && box.clientHeight > 0 ? box.clientHeight : window.innerHeight,
  };
}

function toView({ width, top, height }: Sight, scrolled: number): View {
  const before = Math.abs(scrolled) > fast ? 0 : behind;
  const after = ahead + behind - before;
  const [above, below] = scrolled < 0 ? [after, before] : [before, after];
  return { width, top, height, from: top - above, to: top + height + below };
}
