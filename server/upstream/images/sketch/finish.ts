/** The last steps: colour grading by style, grain, and the caption. */
import { brightness, type Canvas, clamp, parsePoints } from './drawing.ts';
import { type Chance, chanceFrom } from './random.ts';

type Grading = {
  readonly saturation: number;
  readonly contrast: number;
  /** Adds to red and takes from blue, or the other way round. */
  readonly warmth: number;
  /** The number of brightness levels, as in a poster; 0 does not reduce them. */
  readonly levels: number;
  readonly grain: number;
  /** The darkness of lines along edges, as drawn with ink; 0 draws none. */
  readonly outline: number;
  /** The side of dabs of paint, as a share of the shorter side of the picture; 0 paints none. */
  readonly dab: number;
};

const plain: Grading = {
  saturation: 1,
  contrast: 1,
  warmth: 0,
  levels: 0,
  grain: 3,
  outline: 0,
  dab: 0,
};

/** The styles of Imagine Art, each easy to tell from the others. */
const styleGradings: Readonly<Record<string, Grading>> = {
  anime: { ...plain, saturation: 1.42, contrast: 1.08, levels: 7, grain: 0, outline: 0.9 },
  'flux-dev': { ...plain, saturation: 0.78, contrast: 1.3, warmth: -16, grain: 1 },
  'flux-schnell': { ...plain, saturation: 1.1, warmth: 4, grain: 2, dab: 0.016 },
  'imagine-turbo': { ...plain, saturation: 1.75, contrast: 1.22, warmth: 24, grain: 1 },
  realistic: { ...plain, saturation: 0.62, contrast: 0.92, warmth: 7, grain: 15 },
  'sdxl-1.0': { ...plain, saturation: 1.12, contrast: 1.1, warmth: -9, levels: 5, dab: 0.007 },
};

/** An unknown style and a variant get a random grading of their own, which does not depend on prompt and seed. */
function findGrading({ variant, style }: Pick<Finish, 'variant' | 'style'>): Grading {
  const name = style === '' ? variant : style;
  const known = style === '' ? undefined : styleGradings[style];
  return known ?? (name === '' ? plain : randomGrading(chanceFrom(`style ${name}`)));
}

function randomGrading(chance: Chance): Grading {
  return {
    ...plain,
    saturation: chance.between(0.82, 1.24),
    contrast: chance.between(0.94, 1.12),
    warmth: chance.between(-9, 9),
    levels: chance.isLikely(0.22) ? Math.round(chance.between(9, 16)) : 0,
    grain: chance.between(1.5, 6),
  };
}

type Finish = { readonly variant: string; readonly style: string; readonly seed: string };

/** Grades the colours, darkens the corners and adds grain. Returns red, green and blue as bytes. */
export function finishPixels(canvas: Canvas, { variant, style, seed }: Finish): Buffer {
  const { width, height, values } = canvas;
  const grading = findGrading({ variant, style });
  const { saturation, contrast, warmth, levels, grain, outline } = grading;
  const dab = Math.max(1, Math.round(grading.dab * Math.min(width, height)));
  const warmths = [warmth, 0, -warmth];
  const bytes = Buffer.alloc(width * height * 3);
  const { next } = chanceFrom(`grain ${seed}`);

  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const x = pixel % width;
    const y = Math.floor(pixel / width);
    const corner = cornerShade((x / width) * 2 - 1, (pixel / width / height) * 2 - 1);
    const ink = outline === 0 ? 1 : 1 - outline * edgeAt(canvas, x, y);
    const source = dab === 1 ? pixel : (y - (y % dab)) * width + dabColumn(x, y, dab);
    const noise = (next() - 0.5) * grain;
    const grey = brightness(canvas.read(source));
    const flattened = levels === 0 ? 0 : flatten(grey, levels) - grey;
    for (let channel = 0; channel < 3; channel += 1) {
      const painted = values[source * 3 + channel] ?? 0;
      const toned = grey + (painted - grey) * saturation + (warmths[channel] ?? 0);
      const bent = ((toned + flattened - 128) * contrast + 128) * corner * ink;
      bytes[pixel * 3 + channel] = Math.round(clamp((bent + noise) / 255) * 255);
    }
  }
  return bytes;
}

/** The column at which a dab of paint begins; every other row is moved by half a dab, like bricks. */
function dabColumn(x: number, y: number, dab: number): number {
  const shift = Math.floor(y / dab) % 2 === 0 ? 0 : Math.floor(dab / 2);
  return Math.max(0, x - ((x + shift) % dab));
}

/** The middle of the brightness level of a grey. */
function flatten(grey: number, levels: number): number {
  return ((Math.min(levels - 1, Math.floor((grey / 256) * levels)) + 0.5) / levels) * 256;
}

/** The strength of an edge at a pixel, from 0 to 1. */
function edgeAt({ read, width, height }: Canvas, x: number, y: number): number {
  const right = Math.min(width - 1, x + 1);
  const below = Math.min(height - 1, y + 1);
  const here = brightness(read(y * width + x));
  const change =
    Math.abs(brightness(read(y * width + right)) - here) +
    Math.abs(brightness(read(below * width + x)) - here);
  return clamp((change - 5) / 24);
}

/** `x` and `y` from -1 to 1. */
function cornerShade(x: number, y: number): number {
  const distance = (x * x + y * y) / 2;
  return 1 - 0.16 * distance * Math.sqrt(distance);
}

const caption = 'NORI SKETCH · MADE WITHOUT AI';

/**
 * Each letter as strokes, separated by "|", on a grid 4 wide and 6 high. Own strokes, because the
 * caption must look the same on servers without fonts.
 */
const letters: Readonly<Record<string, string>> = {
  A: '0,6 2,0 4,6 | 0.7,4 3.3,4',
  C: '4,1 3,0 1,0 0,1.2 0,4.8 1,6 3,6 4,5',
  D: '0,0 0,6 2.2,6 4,4.4 4,1.6 2.2,0 0,0',
  E: '4,0 0,0 0,6 4,6 | 0,3 3.2,3',
  H: '0,0 0,6 | 4,0 4,6 | 0,3 4,3',
  I: '0,0 0,6',
  K: '0,0 0,6 | 4,0 0,3.6 | 1.3,2.6 4,6',
  M: '0,6 0,0 2.4,3.6 4.8,0 4.8,6',
  N: '0,6 0,0 4,6 4,0',
  O: '1.2,0 3,0 4.2,1.3 4.2,4.7 3,6 1.2,6 0,4.7 0,1.3 1.2,0',
  R: '0,6 0,0 2.8,0 3.8,0.9 3.8,2.3 2.8,3.2 0,3.2 | 2,3.2 4,6',
  S: '3.8,1 2.8,0 1.1,0 0.1,0.9 0.1,2 1.1,2.9 2.9,3.1 3.9,4 3.9,5.1 2.9,6 1,6 0,5',
  T: '0,0 4,0 | 2,0 2,6',
  U: '0,0 0,4.7 1.1,6 2.9,6 4,4.7 4,0',
  W: '0,0 1.3,6 2.8,1.4 4.3,6 5.6,0',
  '·': '0,3 0.01,3',
};

const gap = 1.9;
const space = 2.6;
const weight = 0.46;

type Line = readonly [x1: number, y1: number, x2: number, y2: number];

/** The lines of a text and its width, in grid units. */
function layOut(text: string): { lines: readonly Line[]; width: number } {
  const lines: Line[] = [];
  let left = 0;
  for (const character of text) {
    const strokes = letters[character]?.split(' | ').map(parsePoints) ?? [];
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

type Pixels = { readonly bytes: Buffer; readonly width: number; readonly height: number };

/** Writes the caption into the lower right corner, light on a dark strip. */
export function writeCaption({ bytes, width, height }: Pixels, text = caption): void {
  const { lines, width: units } = layOut(text);
  const unit = Math.min(Math.max(Math.min(width, height) / 400, 1.5), (width * 0.9) / (units + 6));
  const left = Math.floor(width - unit * (units + 6));
  const top = Math.floor(height - unit * 12.5);

  for (let y = Math.max(0, top); y < height; y += 1) {
    for (let x = Math.max(0, left); x < width; x += 1) {
      const u = (x + 0.5 - left) / unit - 3;
      const v = (y + 0.5 - top) / unit - 3.2;
      const distance = distanceToNearest(lines, u, v);
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

/** The distance from a point to the nearest line. */
function distanceToNearest(lines: readonly Line[], x: number, y: number): number {
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
