/** Chance that nobody can foresee. */
import { randomBytes, randomInt } from 'node:crypto';

import { type Random } from './dependencies.ts';

export const secureRandom: Random = {
  bytes: (count) => randomBytes(count),
  digits: (count) => String(randomInt(10 ** count)).padStart(count, '0'),
};
