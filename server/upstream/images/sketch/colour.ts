/** Colours as red, green and blue from 0 to 255, and the curves that blend them. */

export type Colour = readonly [red: number, green: number, blue: number];

/** Reads `#rrggbb`. */
export function colourOf(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** `share` 0 is all of the first, 1 all of the second. */
export function mixed(one: Colour, other: Colour, share: number): Colour {
  return [
    one[0] + (other[0] - one[0]) * share,
    one[1] + (other[1] - one[1]) * share,
    one[2] + (other[2] - one[2]) * share,
  ];
}

export function between(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

/** Keeps a number from 0 to 1. */
export function clamp(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

/** Eases in and out. */
export function smooth(share: number): number {
  return share * share * (3 - 2 * share);
}

/** How bright it looks, from 0 to 255. */
export function brightness([red, green, blue]: Colour): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}
