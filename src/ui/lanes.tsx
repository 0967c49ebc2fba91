/** Where the cards of a masonry stand: lanes of equal width, every card in the lane that ends first. */

export type ItemSize = {
  /** Any unit: only the ratio counts. What is not a positive number, or no shape at all, makes a square. */
  readonly width: number;
  readonly height: number;
  /** Pixels below the picture, such as a caption of a fixed number of lines. */
  readonly extra?: number | undefined;
};

export type LanesShape = {
  /** Of everything, in px. */
  readonly width: number;
  readonly columns: number;
  /** Between cards, in px, both ways. */
  readonly gap: number;
};

/** A finished layout, in px from the top left corner. Never changed: more items make a new one. */
export type Lanes = LanesShape & {
  readonly laneWidth: number;
  /** Left edge of each lane. */
  readonly lefts: readonly number[];
  /** Where the next card of each lane would begin. */
  readonly ends: readonly number[];
  /** By item: its lane, upper edge and height. */
  readonly lane: readonly number[];
  readonly tops: readonly number[];
  readonly heights: readonly number[];
  /** Height of the tallest item: how far above an edge a card that crosses it may begin. */
  readonly tallest: number;
  /** Of everything, without a gap below. */
  readonly height: number;
};

/**
 * Lanes that end within so many pixels of the shortest one count as equal, and the leftmost wins: near-ties
 * fill from left to right, so that the order on the screen is the order of the data.
 * The upper edges are thereby in order but for this much, which is what the searches below rely on.
 */
const tolerance = 16;
/** No picture is so many times as tall as wide: what says so is a broken answer. */
const steepest = 10_000;

/** Lanes without a card. */
export function emptyLanes({ width, columns, gap }: LanesShape): Lanes {
  const pitch = (width + gap) / columns;
  return {
    width,
    columns,
    gap,
    // Whole pixels keep pictures and text sharp.
    laneWidth: Math.max(1, Math.floor(pitch - gap)),
    lefts: Array.from({ length: columns }, (_lane, lane) => Math.round(lane * pitch)),
    ends: Array.from({ length: columns }, () => 0),
    lane: [],
    tops: [],
    heights: [],
    tallest: 0,
    height: 0,
  };
}

/** The same lanes with more cards at their ends. Those that stand there stay where they are. */
export function extendLanes(lanes: Lanes, sizes: readonly ItemSize[]): Lanes {
  const ends = [...lanes.ends];
  const lane = lanes.lane.slice();
  const tops = lanes.tops.slice();
  const heights = lanes.heights.slice();
  let { tallest, height } = lanes;
  for (const size of sizes) {
    const chosen = laneThatEndsFirst(ends);
    const top = ends[chosen] ?? 0;
    const tall = itemHeight(size, lanes.laneWidth);
    lane.push(chosen);
    tops.push(top);
    heights.push(tall);
    ends[chosen] = top + tall + lanes.gap;
    tallest = Math.max(tallest, tall);
    height = Math.max(height, top + tall);
  }
  return { ...lanes, ends, lane, tops, heights, tallest, height };
}

/** The items that show between two heights, in order. */
export function itemsBetween(lanes: Lanes, from: number, to: number): number[] {
  const { tops, heights } = lanes;
  const first = firstFrom(tops, from - lanes.tallest - tolerance) - 1;
  const end = firstFrom(tops, to + tolerance);
  const found: number[] = [];
  for (let index = Math.max(0, first); index < end; index += 1) {
    const top = tops[index] ?? 0;
    if (top < to && top + (heights[index] ?? 0) > from) {
      found.push(index);
    }
  }
  return found;
}

/** The item whose middle is nearest to a height; in one lane when that is named. */
export function itemNearest(lanes: Lanes, y: number, lane?: number): number | undefined {
  const { tops, heights } = lanes;
  let best: number | undefined;
  let distance = Infinity;
  const consider = (index: number) => {
    if (lane === undefined || lanes.lane[index] === lane) {
      const away = Math.abs((tops[index] ?? 0) + (heights[index] ?? 0) / 2 - y);
      if (away < distance) {
        best = index;
        distance = away;
      }
    }
  };
  // From where the height falls outwards, until nothing further away can be nearer.
  const start = firstFrom(tops, y);
  for (let index = start; index < tops.length; index += 1) {
    consider(index);
    if ((tops[index] ?? 0) - tolerance - y > distance) {
      break;
    }
  }
  for (let index = start - 1; index >= 0; index -= 1) {
    consider(index);
    if (y - (tops[index] ?? 0) - tolerance - lanes.tallest / 2 > distance) {
      break;
    }
  }
  return best;
}

/** Where keys lead from a card: within its lane, to the lane beside it, a page on, or to an end. */
const ways: Readonly<Record<string, (lanes: Lanes, from: From) => number | undefined>> = {
  ArrowUp: ({ lane }, { index, own }) =>
    index === 0 ? undefined : foundIndex(lane.lastIndexOf(own, index - 1)),
  ArrowDown: ({ lane }, { index, own }) => foundIndex(lane.indexOf(own, index + 1)),
  ArrowLeft: (lanes, { own, middle }) => itemNearest(lanes, middle, own - 1),
  ArrowRight: (lanes, { own, middle }) => itemNearest(lanes, middle, own + 1),
  PageUp: (lanes, { own, middle, page }) => itemNearest(lanes, middle - page, own),
  PageDown: (lanes, { own, middle, page }) => itemNearest(lanes, middle + page, own),
  Home: () => 0,
  End: ({ tops }) => tops.length - 1,
};

type From = {
  readonly index: number;
  /** Its lane. */
  readonly own: number;
  readonly middle: number;
  readonly page: number;
};

/** Where a key leads from a card; undefined when it leads nowhere. `page` is in px. */
export function itemTowards(
  lanes: Lanes,
  index: number,
  { key, page }: { readonly key: string; readonly page: number },
): number | undefined {
  const own = lanes.lane[index] ?? 0;
  const middle = (lanes.tops[index] ?? 0) + (lanes.heights[index] ?? 0) / 2;
  return ways[key]?.(lanes, { index, own, middle, page });
}

function laneThatEndsFirst(ends: readonly number[]): number {
  const limit = Math.min(...ends) + tolerance;
  return ends.findIndex((end) => end <= limit);
}

function itemHeight({ width, height, extra = 0 }: ItemSize, laneWidth: number): number {
  const ratio = height / width;
  const isSound = width > 0 && ratio > 0 && ratio <= steepest;
  return Math.max(1, Math.round(laneWidth * (isSound ? ratio : 1))) + extra;
}

/**
 * A place in the upper edges with nothing below `y` after it by more than the tolerance, and nothing
 * above it before it by more than the tolerance.
 */
function firstFrom(tops: readonly number[], y: number): number {
  let low = 0;
  let high = tops.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tops[middle] ?? 0) < y) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

function foundIndex(found: number): number | undefined {
  return found < 0 ? undefined : found;
}
