/** Smooth randomness over a plane: the stuff of clouds, ridges and water. */
import { type Chance } from './chance.ts';
import { smooth } from './colour.ts';

export type Noise = {
  /** From 0 to 1, changing gently from one whole coordinate to the next. */
  readonly at: (x: number, y: number) => number;
  /** Several layers of it, each twice as fine and half as strong; from 0 to 1. */
  readonly fractal: (x: number, y: number, layers: number) => number;
};

const size = 256;

export function createNoise(chance: Chance): Noise {
  const values = Float32Array.from({ length: size }, () => chance.next());
  const order = shuffled(chance);

  const valueAt = (column: number, row: number) =>
    values[order[((order[column & 255] ?? 0) + row) & 255] ?? 0] ?? 0;

  function at(x: number, y: number): number {
    const column = Math.floor(x);
    const row = Math.floor(y);
    const right = smooth(x - column);
    const down = smooth(y - row);
    const above = valueAt(column, row) * (1 - right) + valueAt(column + 1, row) * right;
    const below = valueAt(column, row + 1) * (1 - right) + valueAt(column + 1, row + 1) * right;
    return above * (1 - down) + below * down;
  }

  function fractal(x: number, y: number, layers: number): number {
    let sum = 0;
    let strength = 0.5;
    let total = 0;
    let scale = 1;
    for (let layer = 0; layer < layers; layer += 1) {
      // Each layer is moved aside, so that their grids do not lie on one another.
      sum += strength * at(x * scale + layer * 17.3, y * scale + layer * 5.9);
      total += strength;
      strength /= 2;
      scale *= 2.03;
    }
    return sum / total;
  }

  return { at, fractal };
}

function shuffled(chance: Chance): Uint8Array {
  const order = Uint8Array.from({ length: size }, (_, index) => index);
  for (let last = size - 1; last > 0; last -= 1) {
    const other = Math.floor(chance.next() * (last + 1));
    const kept = order[last] ?? 0;
    order[last] = order[other] ?? 0;
    order[other] = kept;
  }
  return order;
}

/** A coarse grid of values, read smoothly in between: for what changes slowly and costs much. */
export function createField(
  {
    width,
    height,
    step,
  }: { readonly width: number; readonly height: number; readonly step: number },
  valueAt: (x: number, y: number) => number,
): (x: number, y: number) => number {
  const columns = Math.ceil(width / step) + 2;
  const rows = Math.ceil(height / step) + 2;
  const values = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      values[row * columns + column] = valueAt(column * step, row * step);
    }
  }
  return (x, y) => {
    const column = Math.floor(x / step);
    const row = Math.floor(y / step);
    const right = x / step - column;
    const down = y / step - row;
    const first = row * columns + column;
    const above = (values[first] ?? 0) * (1 - right) + (values[first + 1] ?? 0) * right;
    const below =
      (values[first + columns] ?? 0) * (1 - right) + (values[first + columns + 1] ?? 0) * right;
    return above * (1 - down) + below * down;
  };
}
