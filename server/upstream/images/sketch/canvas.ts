/** What is painted on: rows of pixels in full precision, so that many thin layers leave no steps. */
import { type Colour } from './colour.ts';

export type Canvas = {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel, row by row. */
  readonly values: Float32Array;
  /** Lays a colour over a pixel; `share` 1 covers it. */
  readonly lay: (pixel: number, colour: Colour, share: number) => void;
  readonly read: (pixel: number) => Colour;
};

export function createCanvas(width: number, height: number): Canvas {
  const values = new Float32Array(width * height * 3);
  return {
    width,
    height,
    values,
    lay: (pixel, [red, green, blue], share) => {
      const at = pixel * 3;
      const kept = 1 - share;
      values[at] = (values[at] ?? 0) * kept + red * share;
      values[at + 1] = (values[at + 1] ?? 0) * kept + green * share;
      values[at + 2] = (values[at + 2] ?? 0) * kept + blue * share;
    },
    read: (pixel) => [
      values[pixel * 3] ?? 0,
      values[pixel * 3 + 1] ?? 0,
      values[pixel * 3 + 2] ?? 0,
    ],
  };
}

/** Calls `paint` for each pixel of the square around a point that lies within the canvas. */
export function around(
  { width, height }: Canvas,
  { x, y, reach }: { readonly x: number; readonly y: number; readonly reach: number },
  paint: (pixel: number, dx: number, dy: number) => void,
): void {
  const top = Math.max(0, Math.floor(y - reach));
  const bottom = Math.min(height - 1, Math.ceil(y + reach));
  const left = Math.max(0, Math.floor(x - reach));
  const right = Math.min(width - 1, Math.ceil(x + reach));
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) {
      paint(row * width + column, column + 0.5 - x, row + 0.5 - y);
    }
  }
}
