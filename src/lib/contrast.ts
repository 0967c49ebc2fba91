/**
 * Colour arithmetic, and the guard that keeps other people's palettes readable: most of the palettes
 * that Telegram's clients ship miss WCAG's 4.5:1 for hints, links or buttons.
 */

type Rgb = readonly [red: number, green: number, blue: number];

/** `#rgb` or `#rrggbb` as three numbers 0-255; undefined for anything else. */
export function parseHex(color: string | undefined): Rgb | undefined {
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(color ?? '')?.[1];
  if (hex === undefined) {
    return undefined;
  }
  const long = hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex;
  const number = Number.parseInt(long, 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

function toHex(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** `share` (0-1) of `other` mixed into `color`, in sRGB. */
function mixRgb(color: Rgb, other: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2) => color[index] * (1 - share) + other[index] * share;
  return [part(0), part(1), part(2)];
}

/** `share` (0-1) of `other` mixed into `color`; both `#rrggbb`. Unreadable colours give `color` back. */
export function mix(color: string, other: string, share: number): string {
  const [from, to] = [parseHex(color), parseHex(other)];
  return from && to ? toHex(mixRgb(from, to, share)) : color;
}

/** Relative luminance 0-1, as WCAG 2.2 defines it. */
export function luminance(color: string): number {
  const [red, green, blue] = (parseHex(color) ?? [0, 0, 0]).map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** Contrast ratio 1-21 between two colours, as WCAG 2.2 defines it. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** WCAG AA for text. */
const enough = 4.5;
const stepShare = 0.02;

/**
 * The colour nearest to `color` that stands out from every background by at least 4.5:1, mixed
 * toward `pull` in steps of 2 %. Ends at `pull` itself when nothing nearer will do.
 */
export function guard(color: string, backgrounds: readonly string[], pull: string): string {
  for (let share = 0; share < 1; share += stepShare) {
    const mixed = mix(color, pull, share);
    if (backgrounds.every((background) => contrast(mixed, background) >= enough)) {
      return mixed;
    }
  }
  return pull;
}
