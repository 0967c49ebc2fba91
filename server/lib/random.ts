/** Secure random values. */
import { randomBytes, randomInt } from 'node:crypto';

export type Random = {
  readonly bytes: (count: number) => Buffer;
  /** Evenly distributed decimal digits, with leading zeros. */
  readonly digits: (count: number) => string;
};

export const secureRandom: Random = {
  bytes: (count) => randomBytes(count),
  digits: (count) => String(randomInt(10 ** count)).padStart(count, '0'),
};
