/** Filled shapes with smooth edges: what silhouettes are cut from. */
import { around, type Canvas } from './canvas.ts';
import { between, clamp, type Colour } from './colour.ts';

export type Point = readonly [x: number, y: number];

/** A line that may be thicker at one end. */
type Limb = {
  readonly from: Point;
  readonly to: Point;
  /** Half of the thickness at the beginning and at the end. */
  readonly thick: readonly [number, number];
};

/** Rows within a row of pixels, for edges that are not stairs. */
const fineRows = 4;

/** Fills what the corners enclose. */
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

/** Where a row meets the outline, from left to right. */
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

/** The corners of a closed curve that runs softly through the points. */
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
  around(canvas, { x, y, reach: Math.max(rx, ry) + 1 }, (pixel, dx, dy) => {
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
  around(canvas, { ...centre, reach }, (pixel, dx, dy) => {
    const px = dx + run[0] / 2;
    const py = dy + run[1] / 2;
    const along = clamp((px * run[0] + py * run[1]) / Math.max(1e-6, length * length));
    const distance = Math.hypot(px - along * run[0], py - along * run[1]);
    canvas.lay(pixel, colour, clamp(between(...thick, along) - distance + 0.5));
  });
}

/** A line of the same thickness through all points; `thick` is half of it. */
export function fillLine(
  canvas: Canvas,
  points: readonly Point[],
  { colour, thick }: { readonly colour: Colour; readonly thick: number },
): void {
  for (const [index, to] of points.slice(1).entries()) {
    fillLimb(canvas, { from: points[index] ?? to, to, thick: [thick, thick] }, colour);
  }
}

export type Stand = { readonly x: number; readonly y: number; readonly height: number };

/** Turns shares of a height, with the feet at 0, into places of the canvas. */
export function placing({ x, y, height }: Stand): (share: Point) => Point {
  return ([right, down]) => [x + right * height, y + down * height];
}
