/** Colours, the canvas, and filled shapes with smooth edges. */

export type Colour = readonly [red: number, green: number, blue: number];

/** Reads `#rrggbb`. */
export function parseColour(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** `share` 0 returns the first colour, 1 the second. */
export function mix(one: Colour, other: Colour, share: number): Colour {
  return [
    one[0] + (other[0] - one[0]) * share,
    one[1] + (other[1] - one[1]) * share,
    one[2] + (other[2] - one[2]) * share,
  ];
}

export function lerp(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

/** Limits a number to the range from 0 to 1. */
export function clamp(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

/** The smoothstep curve over 0 to 1. */
export function smooth(share: number): number {
  return share * share * (3 - 2 * share);
}

/** Perceived brightness from 0 to 255. */
export function brightness([red, green, blue]: Colour): number {
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

export type Canvas = {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel, row by row; floats, so that many thin layers leave no banding. */
  readonly values: Float32Array;
  /** Blends a colour over a pixel; `share` 1 covers it. */
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

/** Calls `paint` for each pixel of the square around a point that is on the canvas. */
export function forEachPixelAround(
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

export type Point = readonly [x: number, y: number];

/** A line that may be thicker at one end; `thick` is half of its thickness at both ends. */
type Limb = {
  readonly from: Point;
  readonly to: Point;
  readonly thick: readonly [number, number];
};

/** Samples per row of pixels, for smooth edges. */
const fineRows = 4;

export function fillPolygon(canvas: Canvas, corners: readonly Point[], colour: Colour): void {
  const rows = corners.map(([, y]) => y);
  const top = Math.max(0, Math.floor(Math.min(...rows)));
  const bottom = Math.min(canvas.height - 1, Math.ceil(Math.max(...rows)));
  for (let y = top; y <= bottom; y += 1) {
    const cover = new Float32Array(canvas.width);
    for (let fine = 0; fine < fineRows; fine += 1) {
      const crossings = crossingsAt(corners, y + (fine + 0.5) / fineRows);
      for (let index = 0; index + 1 < crossings.length; index += 2) {
        addSpan(cover, crossings[index] ?? 0, crossings[index + 1] ?? 0);
      }
    }
    for (const [x, share] of cover.entries()) {
      if (share > 0) {
        canvas.lay(y * canvas.width + x, colour, clamp(share));
      }
    }
  }
}

/** The columns at which a row crosses the outline, from left to right. */
function crossingsAt(corners: readonly Point[], row: number): number[] {
  return corners
    .flatMap(([x1, y1], index) => {
      const [x2, y2] = corners[(index + 1) % corners.length] ?? [x1, y1];
      return y1 <= row === y2 <= row ? [] : [x1 + ((row - y1) / (y2 - y1)) * (x2 - x1)];
    })
    .toSorted((one, other) => one - other);
}

function addSpan(cover: Float32Array, from: number, to: number): void {
  const end = Math.min(cover.length - 1, Math.floor(to));
  for (let x = Math.max(0, Math.floor(from)); x <= end; x += 1) {
    const width = Math.min(to, x + 1) - Math.max(from, x);
    cover[x] = (cover[x] ?? 0) + Math.max(0, width) / fineRows;
  }
}

/** The corners of a closed Catmull-Rom curve through the points. */
export function curveThrough(points: readonly Point[]): Point[] {
  const steps = 8;
  const at = (index: number): Point => points.at(index % points.length) ?? [0, 0];
  return points.flatMap((_, index) =>
    Array.from({ length: steps }, (_step, step): Point => {
      const [before, start, end, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
      const t = step / steps;
      const along = (axis: 0 | 1) =>
        start[axis] +
        0.5 * t * (end[axis] - before[axis]) +
        t * t * (before[axis] - 2.5 * start[axis] + 2 * end[axis] - 0.5 * after[axis]) +
        t * t * t * (1.5 * (start[axis] - end[axis]) + 0.5 * (after[axis] - before[axis]));
      return [along(0), along(1)];
    }),
  );
}

export function fillEllipse(
  canvas: Canvas,
  { at: [x, y], radii: [rx, ry] }: { readonly at: Point; readonly radii: Point },
  colour: Colour,
): void {
  const least = Math.min(rx, ry);
  forEachPixelAround(canvas, { x, y, reach: Math.max(rx, ry) + 1 }, (pixel, dx, dy) => {
    const distance = Math.hypot(dx / rx, dy / ry);
    canvas.lay(pixel, colour, clamp((1 - distance) * least + 0.5));
  });
}

export function fillLimb(canvas: Canvas, { from, to, thick }: Limb, colour: Colour): void {
  const [x, y] = from;
  const run: Point = [to[0] - x, to[1] - y];
  const length = Math.hypot(...run);
  const centre = { x: x + run[0] / 2, y: y + run[1] / 2 };
  const reach = length / 2 + Math.max(...thick) + 1;
  forEachPixelAround(canvas, { ...centre, reach }, (pixel, dx, dy) => {
    const px = dx + run[0] / 2;
    const py = dy + run[1] / 2;
    const along = clamp((px * run[0] + py * run[1]) / Math.max(1e-6, length * length));
    const distance = Math.hypot(px - along * run[0], py - along * run[1]);
    canvas.lay(pixel, colour, clamp(lerp(...thick, along) - distance + 0.5));
  });
}

/** A line through all points; `thick` is half of its thickness. */
export function fillLine(
  canvas: Canvas,
  points: readonly Point[],
  { colour, thick }: { readonly colour: Colour; readonly thick: number },
): void {
  for (const [index, to] of points.slice(1).entries()) {
    fillLimb(canvas, { from: points[index] ?? to, to, thick: [thick, thick] }, colour);
  }
}

export type Placement = { readonly x: number; readonly y: number; readonly height: number };

/** Converts points of a figure of height 1, whose feet are at (0, 0), to points of the canvas. */
export function placeAt({ x, y, height }: Placement): (point: Point) => Point {
  return ([right, down]) => [x + right * height, y + down * height];
}

/** Reads "x,y x,y …". */
export function parsePoints(text: string): readonly Point[] {
  return text.split(' ').map((pair): Point => {
    const [x = 0, y = 0] = pair.split(',').map(Number);
    return [x, y];
  });
}
