/** The last touch: how a style bends the colours, darker corners, grain, and whole numbers. */
import { type Canvas } from './canvas.ts';
import { type Chance, chanceFrom } from './chance.ts';
import { brightness, clamp } from './colour.ts';

type Grading = {
  readonly saturation: number;
  readonly contrast: number;
  /** Adds to red and takes from blue, or the other way round. */
  readonly warmth: number;
  /** How many steps of brightness there are, as in a print; 0 leaves it smooth. */
  readonly levels: number;
  readonly grain: number;
};

const plain: Grading = { saturation: 1, contrast: 1, warmth: 0, levels: 0, grain: 3 };

/** Each style has a look of its own, which stays when prompt and seed change. */
function gradingOf(style: string): Grading {
  if (style === '') {
    return plain;
  }
  const chance: Chance = chanceFrom(`style ${style}`);
  return {
    saturation: chance.between(0.82, 1.24),
    contrast: chance.between(0.94, 1.12),
    warmth: chance.between(-9, 9),
    levels: chance.isLikely(0.22) ? Math.round(chance.between(9, 16)) : 0,
    grain: chance.between(1.5, 6),
  };
}

/** Red, green and blue as bytes. */
export function develop(canvas: Canvas, { style, seed }: { style: string; seed: string }): Buffer {
  const { width, height, values } = canvas;
  const { saturation, contrast, warmth, levels, grain } = gradingOf(style);
  const warmths = [warmth, 0, -warmth];
  const bytes = Buffer.alloc(width * height * 3);
  const { next } = chanceFrom(`grain ${seed}`);

  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const corner = cornerShade(((pixel % width) / width) * 2 - 1, (pixel / width / height) * 2 - 1);
    const noise = (next() - 0.5) * grain;
    const grey = brightness(canvas.read(pixel));
    const flattened = levels === 0 ? 0 : flatten(grey, levels) - grey;
    for (let channel = 0; channel < 3; channel += 1) {
      const at = pixel * 3 + channel;
      const toned = grey + ((values[at] ?? 0) - grey) * saturation + (warmths[channel] ?? 0);
      const bent = ((toned + flattened - 128) * contrast + 128) * corner;
      bytes[at] = Math.round(clamp((bent + noise) / 255) * 255);
    }
  }
  return bytes;
}

/** The middle of the step that a brightness falls into. */
function flatten(grey: number, levels: number): number {
  return ((Math.min(levels - 1, Math.floor((grey / 256) * levels)) + 0.5) / levels) * 256;
}

/** `x` and `y` from -1 to 1. */
function cornerShade(x: number, y: number): number {
  const distance = (x * x + y * y) / 2;
  return 1 - 0.16 * distance * Math.sqrt(distance);
}
