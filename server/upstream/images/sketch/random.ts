/** Random numbers and smooth noise that a text decides: the same text always gives the same. */
import { createHash } from 'node:crypto';

import { smooth } from './drawing.ts';

export type Chance = {
  /** From 0 to just under 1. */
  readonly next: () => number;
  readonly between: (from: number, to: number) => number;
  /** True with this probability. */
  readonly isLikely: (probability: number) => boolean;
  readonly pick: <T>(choices: readonly [T, ...T[]]) => T;
};

/** The sfc32 generator, seeded with a hash of the text. */
export function chanceFrom(text: string): Chance {
  const digest = createHash('sha256').update(text).digest();
  let a = digest.readInt32LE(0);
  let b = digest.readInt32LE(4);
  let c = digest.readInt32LE(8);
  let counter = digest.readInt32LE(12);

  function next(): number {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  }

  return {
    next,
    between: (from, to) => from + (to - from) * next(),
    isLikely: (probability) => next() < probability,
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
  };
}

export type Noise = {
  /** Value noise from 0 to 1. */
  readonly at: (x: number, y: number) => number;
  /** Several octaves of it, from 0 to 1. */
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
      // Each octave is moved, so that their grids do not coincide.
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

/** Computes values on a coarse grid and interpolates between them: for values that change slowly and cost much. */
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
