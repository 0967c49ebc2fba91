/** Keeps the layout of a list that mostly grows at its end. */
import { emptyLanes, extendLanes, type ItemSize, type Lanes, type LanesShape } from './lanes.tsx';

export type Layouter<Item> = (
  items: readonly Item[],
  getSize: (item: Item) => ItemSize,
  shape: LanesShape,
) => Lanes;

/** Lays out what is new; all of it only when the shape or the items before have changed. */
export function createLayouter<Item>(): Layouter<Item> {
  let laid: { readonly items: readonly Item[]; readonly lanes: Lanes } | undefined;

  return (items, getSize, shape) => {
    const isKept = laid && isSameShape(laid.lanes, shape) && isPrefix(laid.items, items);
    const known = isKept ? laid : undefined;
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

/** Where an item is by its id: first where it was, then anywhere; -1 when it is gone. */
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
