/** The sentence inside each picture, in letters of our own strokes: it looks the same without any font. */
import { clamp } from './colour.ts';

const caption = 'NORI SKETCH · MADE WITHOUT AI';

/** Lines of a letter on a grid 4 wide and 6 high, points joined in their order. */
type Strokes = readonly (readonly (readonly [x: number, y: number])[])[];

const letters: Readonly<Record<string, Strokes>> = {
  A: [
    [
      [0, 6],
      [2, 0],
      [4, 6],
    ],
    [
      [0.7, 4],
      [3.3, 4],
    ],
  ],
  C: [
    [
      [4, 1],
      [3, 0],
      [1, 0],
      [0, 1.2],
      [0, 4.8],
      [1, 6],
      [3, 6],
      [4, 5],
    ],
  ],
  D: [
    [
      [0, 0],
      [0, 6],
      [2.2, 6],
      [4, 4.4],
      [4, 1.6],
      [2.2, 0],
      [0, 0],
    ],
  ],
  E: [
    [
      [4, 0],
      [0, 0],
      [0, 6],
      [4, 6],
    ],
    [
      [0, 3],
      [3.2, 3],
    ],
  ],
  H: [
    [
      [0, 0],
      [0, 6],
    ],
    [
      [4, 0],
      [4, 6],
    ],
    [
      [0, 3],
      [4, 3],
    ],
  ],
  I: [
    [
      [0, 0],
      [0, 6],
    ],
  ],
  K: [
    [
      [0, 0],
      [0, 6],
    ],
    [
      [4, 0],
      [0, 3.6],
    ],
    [
      [1.3, 2.6],
      [4, 6],
    ],
  ],
  M: [
    [
      [0, 6],
      [0, 0],
      [2.4, 3.6],
      [4.8, 0],
      [4.8, 6],
    ],
  ],
  N: [
    [
      [0, 6],
      [0, 0],
      [4, 6],
      [4, 0],
    ],
  ],
  O: [
    [
      [1.2, 0],
      [3, 0],
      [4.2, 1.3],
      [4.2, 4.7],
      [3, 6],
      [1.2, 6],
      [0, 4.7],
      [0, 1.3],
      [1.2, 0],
    ],
  ],
  R: [
    [
      [0, 6],
      [0, 0],
      [2.8, 0],
      [3.8, 0.9],
      [3.8, 2.3],
      [2.8, 3.2],
      [0, 3.2],
    ],
    [
      [2, 3.2],
      [4, 6],
    ],
  ],
  S: [
    [
      [3.8, 1],
      [2.8, 0],
      [1.1, 0],
      [0.1, 0.9],
      [0.1, 2],
      [1.1, 2.9],
      [2.9, 3.1],
      [3.9, 4],
      [3.9, 5.1],
      [2.9, 6],
      [1, 6],
      [0, 5],
    ],
  ],
  T: [
    [
      [0, 0],
      [4, 0],
    ],
    [
      [2, 0],
      [2, 6],
    ],
  ],
  U: [
    [
      [0, 0],
      [0, 4.7],
      [1.1, 6],
      [2.9, 6],
      [4, 4.7],
      [4, 0],
    ],
  ],
  W: [
    [
      [0, 0],
      [1.3, 6],
      [2.8, 1.4],
      [4.3, 6],
      [5.6, 0],
    ],
  ],
  '·': [
    [
      [0, 3],
      [0.01, 3],
    ],
  ],
};

const gap = 1.9;
const space = 2.6;
const weight = 0.46;

type Line = readonly [x1: number, y1: number, x2: number, y2: number];

/** The lines of a text in grid units, and how wide it is. */
function layOut(text: string): { lines: readonly Line[]; width: number } {
  const lines: Line[] = [];
  let left = 0;
  for (const character of text) {
    const strokes = letters[character] ?? [];
    const shift = left;
    for (const stroke of strokes) {
      for (const [index, [x, y]] of stroke.slice(1).entries()) {
        const [fromX, fromY] = stroke[index] ?? [x, y];
        lines.push([fromX + shift, fromY, x + shift, y]);
      }
    }
    const width = Math.max(0, ...strokes.flat().map(([x]) => x));
    left += strokes.length === 0 ? space : width + gap;
  }
  return { lines, width: left - gap };
}

type Picture = { readonly bytes: Buffer; readonly width: number; readonly height: number };

/** Writes the caption into the lower right corner, light on a darkened strip. */
export function writeCaption({ bytes, width, height }: Picture, text = caption): void {
  const { lines, width: units } = layOut(text);
  const unit = Math.min(Math.max(Math.min(width, height) / 400, 1.5), (width * 0.9) / (units + 6));
  const left = Math.floor(width - unit * (units + 6));
  const top = Math.floor(height - unit * 12.5);

  for (let y = Math.max(0, top); y < height; y += 1) {
    for (let x = Math.max(0, left); x < width; x += 1) {
      const u = (x + 0.5 - left) / unit - 3;
      const v = (y + 0.5 - top) / unit - 3.2;
      const distance = nearest(lines, u, v);
      const ink = clamp((weight - distance) * unit + 0.5);
      const strip = 0.5 * clamp((u + 3) / 3) * clamp((v + 3.2) / 2);
      for (let channel = 0; channel < 3; channel += 1) {
        const at = (y * width + x) * 3 + channel;
        const darkened = (bytes[at] ?? 0) * (1 - strip);
        bytes[at] = Math.round(darkened + (246 - darkened) * ink);
      }
    }
  }
}

/** How far a point is from the nearest line. */
function nearest(lines: readonly Line[], x: number, y: number): number {
  let best = 9;
  for (const [x1, y1, x2, y2] of lines) {
    if (Math.abs(x - x1) < 7) {
      const dx = x2 - x1;
      const dy = y2 - y1;
      const along = clamp(((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy));
      best = Math.min(best, Math.hypot(x - x1 - along * dx, y - y1 - along * dy));
    }
  }
  return best;
}
