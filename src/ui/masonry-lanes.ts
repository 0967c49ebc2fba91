/** The layout of a masonry: lanes of equal width, each card in the shortest lane. */

export type ItemSize = {
  /** In any unit, as only the ratio counts. An invalid size makes a square. */
  readonly width: number;
  readonly height: number;
  /** Pixels below the picture, such as a caption of a fixed number of lines. */
  readonly extra?: number | undefined;
};

export type LanesShape = {
  /** Of the whole gallery, in px. */
  readonly width: number;
  readonly columns: number;
  /** Between cards, in px, in both directions. */
  readonly gap: number;
};

/** A layout, in px from the top left corner. Immutable: more items make a new one. */
export type Lanes = LanesShape & {
  readonly laneWidth: number;
  /** Left edge of each lane. */
  readonly lefts: readonly number[];
  /** The upper edge of the next card of each lane. */
  readonly ends: readonly number[];
  /** By item: its lane, upper edge and height. */
  readonly lane: readonly number[];
  readonly tops: readonly number[];
  readonly heights: readonly number[];
  /** Height of the tallest item: how far above an edge a card may start and still cross it. */
  readonly tallest: number;
  /** Of the whole gallery, without a gap below. */
  readonly height: number;
};

/**
 * Lanes whose ends differ from the shortest by at most so many px count as equal, and the leftmost is
 * taken, so that the order on the screen follows the order of the data. The upper edges are therefore
 * sorted except for this tolerance, and the searches below rely on that.
 */
const tolerance = 16;
/** A picture with a larger ratio of height to width is an invalid answer. */
const maxRatio = 10_000;

/** Lanes without cards. */
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

/** The same lanes with more cards at the end. The others keep their positions. */
export function extendLanes(lanes: Lanes, sizes: readonly ItemSize[]): Lanes {
  const ends = [...lanes.ends];
  const lane = lanes.lane.slice();
  const tops = lanes.tops.slice();
  const heights = lanes.heights.slice();
  let { tallest, height } = lanes;
  for (const size of sizes) {
    const chosen = shortestLane(ends);
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

/** The items that are visible between two heights, in order. */
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

/** The item whose middle is nearest to a height, in all lanes or in one. */
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
  // From the height outwards, until no further item can be nearer.
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

/** The next item of the same lane; undefined at its end. */
const itemAbove = ({ lane }: Lanes, { index, own }: From) =>
  index === 0 ? undefined : foundIndex(lane.lastIndexOf(own, index - 1));
const itemBelow = ({ lane }: Lanes, { index, own }: From) =>
  foundIndex(lane.indexOf(own, index + 1));

/** The item of the same lane that is `distance` px further down; undefined where that is the same item. */
function itemAtDistance(lanes: Lanes, { index, own, middle }: From, distance: number) {
  const target = itemNearest(lanes, middle + distance, own);
  return target === index ? undefined : target;
}

/** The item that each key moves to. A page is at least one item, however low the window is. */
const keyMoves: Readonly<Record<string, (lanes: Lanes, from: From) => number | undefined>> = {
  ArrowUp: itemAbove,
  ArrowDown: itemBelow,
  ArrowLeft: (lanes, { own, middle }) => itemNearest(lanes, middle, own - 1),
  ArrowRight: (lanes, { own, middle }) => itemNearest(lanes, middle, own + 1),
  PageUp: (lanes, from) =>
    itemAtDistance(lanes, from, -from.page) ?? itemAbove(lanes, from) ?? from.index,
  PageDown: (lanes, from) =>
    itemAtDistance(lanes, from, from.page) ?? itemBelow(lanes, from) ?? from.index,
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

/** The item that a key moves to; undefined for none. `page` is the height of a page in px. */
export function itemTowards(
  lanes: Lanes,
  index: number,
  { key, page }: { readonly key: string; readonly page: number },
): number | undefined {
  const own = lanes.lane[index] ?? 0;
  const middle = (lanes.tops[index] ?? 0) + (lanes.heights[index] ?? 0) / 2;
  return keyMoves[key]?.(lanes, { index, own, middle, page });
}

function shortestLane(ends: readonly number[]): number {
  const limit = Math.min(...ends) + tolerance;
  return ends.findIndex((end) => end <= limit);
}

function itemHeight({ width, height, extra = 0 }: ItemSize, laneWidth: number): number {
  const ratio = height / width;
  const isValid = width > 0 && ratio > 0 && ratio <= maxRatio;
  return Math.max(1, Math.round(laneWidth * (isValid ? ratio : 1))) + extra;
}

/** Binary search for the first upper edge from `y` on. As `tops` is nearly sorted, the result may be off by the tolerance. */
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

export type Layouter<Item> = (
  items: readonly Item[],
  getSize: (item: Item) => ItemSize,
  shape: LanesShape,
) => Lanes;

/** Returns a function that lays out only the new items; all of them when the shape or the earlier items changed. */
export function createLayouter<Item>(): Layouter<Item> {
  let laid: { readonly items: readonly Item[]; readonly lanes: Lanes } | undefined;

  return (items, getSize, shape) => {
    const isUnchanged = laid && isSameShape(laid.lanes, shape) && isPrefix(laid.items, items);
    const known = isUnchanged ? laid : undefined;
    if (known?.items.length === items.length) {
      laid = { items, lanes: known.lanes };
      return known.lanes;
    }
    const lanes = extendLanes(
      known?.lanes ?? emptyLanes(shape),
      items.slice(known?.items.length ?? 0).map((item) => getSize(item)),
    );
    laid = { items, lanes };
    return lanes;
  };
}

/** The position of an item by its id, first looked for at `guess`; -1 when it is missing. */
export function indexOfId<Item>(
  items: readonly Item[],
  getKey: (item: Item) => string,
  { id, guess }: { readonly id: string; readonly guess?: number },
): number {
  const guessed = guess === undefined ? undefined : items[guess];
  return guess !== undefined && guessed !== undefined && getKey(guessed) === id
    ? guess
    : items.findIndex((item) => getKey(item) === id);
}

function isSameShape(a: LanesShape, b: LanesShape): boolean {
  return a.width === b.width && a.columns === b.columns && a.gap === b.gap;
}

function isPrefix<Item>(start: readonly Item[], items: readonly Item[]): boolean {
  return (
    start === items ||
    (start.length <= items.length && start.every((item, index) => item === items[index]))
  );
}
