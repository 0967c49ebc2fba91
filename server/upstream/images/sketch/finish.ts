/** The last touch: how a style bends the colours, darker corners, grain, and whole numbers. */
import { type Canvas } from './canvas.ts';
import { chanceFrom } from './chance.ts';
import { brightness, clamp } from './colour.ts';
import { gradingOf } from './looks.ts';

type Finish = { readonly style: string; readonly look: string; readonly seed: string };

/** Red, green and blue as bytes. */
export function develop(canvas: Canvas, { style, look, seed }: Finish): Buffer {
  const { width, height, values } = canvas;
  const grading = gradingOf({ style, look });
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

/** Where a dab of paint begins: every other row of them is moved by half, as bricks are. */
function dabColumn(x: number, y: number, dab: number): number {
  const shift = Math.floor(y / dab) % 2 === 0 ? 0 : Math.floor(dab / 2);
  return Math.max(0, x - ((x + shift) % dab));
}

/** The middle of the step that a brightness falls into. */
function flatten(grey: number, levels: number): number {
  return ((Math.min(levels - 1, Math.floor((grey / 256) * levels)) + 0.5) / levels) * 256;
}

/** How much the brightness changes around a pixel, from 0 to 1. */
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
