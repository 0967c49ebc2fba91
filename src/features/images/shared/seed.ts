/** Seeds as people type them: the digits of an integer, which may be longer than what a number holds exactly. */
import * as v from 'valibot';

const maxSeedDigits = 19;

/** The integer at the beginning of a text, as digits; empty when there is none. */
export function parseSeed(text: string | number): string {
  const digits = /^\s*\+?0*(\d+)/.exec(String(text))?.[1] ?? '';
  return digits.slice(0, maxSeedDigits);
}

/** A seed as the device keeps it; one that does not fit is as good as absent. */
export const keptSeed = v.fallback(
  v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(parseSeed)), ''),
  '',
);

/** Seeds are kept as the integers that they are, as long as a number holds them exactly. */
export function asInteger(digits: string): number | string | undefined {
  const number = Number(digits);
  if (digits === '') {
    return undefined;
  }
  return Number.isSafeInteger(number) ? number : digits;
}
