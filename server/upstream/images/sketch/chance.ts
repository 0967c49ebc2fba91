/** Chance that a text decides: the same text always gives the same numbers. */
import { createHash } from 'node:crypto';

export type Chance = {
  /** From 0 to just under 1. */
  readonly next: () => number;
  readonly between: (from: number, to: number) => number;
  readonly isLikely: (share: number) => boolean;
  readonly pick: <T>(choices: readonly [T, ...T[]]) => T;
};

/** The small fast counter generator (sfc32), which is even enough for pictures. */
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
    isLikely: (share) => next() < share,
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
  };
}
