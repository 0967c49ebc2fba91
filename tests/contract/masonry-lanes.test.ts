/**
 * The layout of a masonry, compared with simple searches: any heights, shape and scroll position.
 */
import { array, assert, double, integer, nat, oneof, property, record } from 'fast-check';
import { expect, test } from 'vitest';

// oxlint-disable-next-line no-restricted-imports -- The layout is a pure function that no page shows alone.
import {
  emptyLanes,
  extendLanes,
  itemNearest,
  itemsBetween,
  itemTowards,
  type Lanes,
} from '../../src/ui/masonry-lanes.ts';

/** Lanes whose ends are this close together count as equal. */
const tolerance = 16;

const size = record({
  width: integer({ min: 1, max: 4000 }),
  height: integer({ min: 1, max: 4000 }),
  extra: nat(200),
});
/** Sizes that a broken answer of a server may contain. */
const brokenSize = record({
  width: oneof(nat(2), double()),
  height: oneof(nat(2), double()),
});
const sizes = array(oneof({ weight: 9, arbitrary: size }, brokenSize), { maxLength: 300 });
const shape = record({
  width: integer({ min: 240, max: 4000 }),
  columns: integer({ min: 1, max: 8 }),
  gap: nat(32),
});
const lanes = record({ shape, sizes }).map((drawn) =>
  extendLanes(emptyLanes(drawn.shape), drawn.sizes),
);

const all = (laid: Lanes) => laid.tops.map((_top, index) => index);
const bottom = (laid: Lanes, index: number) => laid.tops[index]! + laid.heights[index]!;
const middle = (laid: Lanes, index: number) => laid.tops[index]! + laid.heights[index]! / 2;

test('the cards of a lane follow each other with exactly the gap, and no lane extends beyond the gallery', () => {
  assert(
    property(lanes, (laid) => {
      for (let lane = 0; lane < laid.columns; lane += 1) {
        const own = all(laid).filter((index) => laid.lane[index] === lane);
        own.forEach((index, position) => {
          const before = own[position - 1];
          const expected = before === undefined ? 0 : bottom(laid, before) + laid.gap;
          expect(laid.tops[index]).toBe(expected);
        });
      }
      laid.lefts.slice(1).forEach((left, lane) => {
        // Whole pixels: a gap may be one wider or narrower than another.
        expect(left - laid.lefts[lane]! - laid.laneWidth).toBeGreaterThanOrEqual(laid.gap - 1);
      });
      expect(laid.lefts.at(-1)! + laid.laneWidth).toBeLessThanOrEqual(laid.width + 1);
      expect(laid.height).toBe(Math.max(0, ...all(laid).map((index) => bottom(laid, index))));
    }),
  );
});

test('every card is in the lane that ended first, and near-ties fill from the left', () => {
  assert(
    property(lanes, (laid) => {
      const ends = laid.lefts.map(() => 0);
      for (const index of all(laid)) {
        const shortest = Math.min(...ends);
        const leftmost = ends.findIndex((end) => end - shortest <= tolerance);
        expect(laid.lane[index]).toBe(leftmost);
        ends[leftmost] = bottom(laid, index) + laid.gap;
      }
    }),
  );
});

test('the upper edges are in the order of the data, within the tolerance', () => {
  assert(
    property(lanes, (laid) => {
      let lowest = 0;
      for (const top of laid.tops) {
        expect(top).toBeGreaterThanOrEqual(lowest - tolerance);
        lowest = Math.max(lowest, top);
      }
    }),
  );
});

test('a picture keeps its ratio; a picture without a size is a square', () => {
  assert(
    property(shape, size, (drawn, item) => {
      const laid = extendLanes(emptyLanes(drawn), [item]);
      const exact = Math.max(1, (laid.laneWidth * item.height) / item.width);
      // Rounding may go up or down.
      expect(Math.abs(laid.heights[0]! - item.extra - exact)).toBeLessThan(0.51);
    }),
  );
  const unknown = extendLanes(emptyLanes({ width: 200, columns: 2, gap: 0 }), [
    { width: 0, height: 0 },
    { width: Number.NaN, height: 5 },
    { width: 5, height: Infinity },
    { width: -5, height: -5 },
    { width: 1, height: 1.7e308 },
  ]);
  expect(unknown.heights).toEqual([100, 100, 100, 100, 100]);
});

test('later cards move no earlier card: page by page gives the same layout as all at once', () => {
  assert(
    property(shape, sizes, nat(300), (drawn, items, cut) => {
      const first = extendLanes(emptyLanes(drawn), items.slice(0, cut));
      const before = structuredClone(first);
      const paged = extendLanes(first, items.slice(cut));

      expect(paged).toEqual(extendLanes(emptyLanes(drawn), items));
      expect(first).toEqual(before);
    }),
  );
});

test('the window contains exactly the visible cards, in the order of the data', () => {
  assert(
    property(lanes, integer({ min: -2000, max: 50_000 }), nat(3000), (laid, from, height) => {
      const to = from + height;
      const expected = all(laid).filter(
        (index) => laid.tops[index]! < to && bottom(laid, index) > from,
      );
      expect(itemsBetween(laid, from, to)).toEqual(expected);
    }),
  );
});

test('the nearest card is the same as the one found by comparing all cards', () => {
  assert(
    property(lanes, integer({ min: -2000, max: 50_000 }), nat(8), (laid, y, lane) => {
      const away = (index: number) => Math.abs(middle(laid, index) - y);
      for (const only of [undefined, lane]) {
        const candidates = all(laid).filter(
          (index) => only === undefined || laid.lane[index] === only,
        );
        const found = itemNearest(laid, y, only);
        const nearest = found === undefined ? Infinity : away(found);
        expect(nearest).toBe(Math.min(...candidates.map(away)));
        expect([undefined, ...candidates]).toContain(found);
      }
    }),
  );
});

test('arrow keys stay in the lane or change it by one, and every move can be reversed', () => {
  assert(
    property(lanes, nat(299), (laid, start) => {
      const index = Math.min(start, laid.tops.length - 1);
      if (index < 0) {
        return;
      }
      const go = (from: number, key: string) => itemTowards(laid, from, { key, page: 800 });
      const [down, up] = [go(index, 'ArrowDown'), go(index, 'ArrowUp')];
      const [right, left] = [go(index, 'ArrowRight'), go(index, 'ArrowLeft')];
      const own = laid.lane[index]!;

      expect(laid.lane[down ?? index]).toBe(own);
      expect(laid.lane[up ?? index]).toBe(own);
      expect(down === undefined ? index : go(down, 'ArrowUp')).toBe(index);
      expect(up === undefined ? index : go(up, 'ArrowDown')).toBe(index);
      expect(right === undefined ? own + 1 : laid.lane[right]).toBe(own + 1);
      expect(left === undefined ? own - 1 : laid.lane[left]).toBe(own - 1);
      expect(go(index, 'Home')).toBe(0);
      expect(go(index, 'End')).toBe(laid.tops.length - 1);
      expect(laid.lane[go(index, 'PageDown')!]).toBe(own);
      expect(laid.lane[go(index, 'PageUp')!]).toBe(own);
      // Also in a window that is lower than half an item.
      const lowPage = (key: string) => itemTowards(laid, index, { key, page: 0 });
      expect(lowPage('PageDown')).toBe(down ?? index);
      expect(lowPage('PageUp')).toBe(up ?? index);
      expect(go(index, 'a')).toBeUndefined();
    }),
  );
});
