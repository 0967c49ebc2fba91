/** Keeps what a person looks at where it is, when the cards around it are laid out anew. */
import { itemNearest, itemsBetween, type Lanes } from './lanes.tsx';
import { indexOfId } from './masonry-layout.ts';
import { type Sight } from './masonry-view.ts';

/** A place in a gallery that outlives it: it can be kept as JSON. */
export type MasonrySnapshot = {
  /** The first item on the screen. */
  readonly firstId: string;
  /** How many px of it are above the upper edge; negative when it begins below it. */
  readonly offset: number;
};

export type Laid<Item> = {
  readonly items: readonly Item[];
  readonly getKey: (item: Item) => string;
  readonly lanes: Lanes;
};

/**
 * The height to bring to the upper edge of the screen so that the item in its middle stays there;
 * undefined when there is nothing to keep.
 */
export function topToKeep<Item>(
  before: Laid<Item>,
  after: Laid<Item>,
  { shown, now }: { readonly shown: Sight; readonly now: Sight },
): number | undefined {
  // Who sees the beginning of the gallery goes on seeing it, new items included.
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

/** The upper edge of the screen at a snapshot; undefined while its item is not there. */
export function snapshotTop<Item>(
  { items, getKey, lanes }: Laid<Item>,
  { firstId, offset }: MasonrySnapshot,
): number | undefined {
  const index = indexOfId(items, getKey, { id: firstId });
  return index < 0 ? undefined : (lanes.tops[index] ?? 0) + offset;
}

/** Which part of an item is at a height: 0 its upper edge, 1 its lower. */
function partAt({ tops, heights }: Lanes, index: number, y: number): number {
  return Math.min(1, Math.max(0, (y - (tops[index] ?? 0)) / (heights[index] ?? 1)));
}

function pointAt({ tops, heights }: Lanes, index: number, part: number): number {
  return (tops[index] ?? 0) + part * (heights[index] ?? 0);
}
