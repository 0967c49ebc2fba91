/** The shapes of covers as SVG. The shorter side of a sheet is 100 units long. */
import { clamp, lerp, mix, parseColour, parsePoints, type Point } from './drawing.ts';
import { type Chance } from './random.ts';
import { type Swatches } from './scene.ts';

/** What floats in the air of a cover. */
export type Motif = 'none' | 'petals' | 'flakes' | 'sparks' | 'stars' | 'leaves' | 'rain';

export type Sheet = {
  readonly w: number;
  readonly h: number;
  readonly chance: Chance;
  readonly ink: Swatches;
  readonly isDark: boolean;
  readonly motif: Motif;
};

export type Paint = {
  readonly fill?: string;
  readonly stroke?: string;
  readonly width?: number;
  readonly opacity?: number;
};

const number = (value: number) => String(Math.round(value * 100) / 100);
const spot = ([x, y]: Point) => `${number(x)} ${number(y)}`;

function attributes(paint: string | Paint): string {
  const {
    fill = 'none',
    stroke,
    width = 1,
    opacity,
  } = typeof paint === 'string' ? { fill: paint } : paint;
  const line =
    stroke === undefined
      ? ''
      : ` stroke="${stroke}" stroke-width="${number(width)}" stroke-linecap="round" stroke-linejoin="round"`;
  return `fill="${fill}"${line}${opacity === undefined ? '' : ` opacity="${number(opacity)}"`}`;
}

/** A colour between two; `share` 0 is the first. */
export function tint(one: string, other: string, share: number): string {
  const channels = mix(parseColour(one), parseColour(other), clamp(share));
  return `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}

export const circle = (at: Point, radius: number, paint: string | Paint) =>
  `<circle cx="${number(at[0])}" cy="${number(at[1])}" r="${number(radius)}" ${attributes(paint)}/>`;

export const ellipse = (at: Point, [rx, ry]: Point, paint: string | Paint) =>
  `<ellipse cx="${number(at[0])}" cy="${number(at[1])}" rx="${number(rx)}" ry="${number(ry)}" ${attributes(paint)}/>`;

/** A rectangle from its left upper corner. */
export const box = ([x, y]: Point, [width, height]: Point, paint: string | Paint) =>
  `<rect x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" ${attributes(paint)}/>`;

export const shape = (d: string, paint: string | Paint) => `<path d="${d}" ${attributes(paint)}/>`;

/** Points, or their text "x,y x,y …". */
export type Outline = string | readonly Point[];

const read = (outline: Outline): readonly Point[] =>
  typeof outline === 'string' ? parsePoints(outline) : outline;

/** Straight lines through the points, closed. */
export const polygon = (outline: Outline, paint: string | Paint) =>
  shape(`M${read(outline).map(spot).join('L')}Z`, paint);

/** A line through the points with round corners; closed when `isClosed`. */
export function curve(outline: Outline, isClosed = true): string {
  const points = read(outline);
  const count = points.length;
  const at = (index: number): Point =>
    points[isClosed ? (index + count) % count : Math.max(0, Math.min(count - 1, index))] ?? [0, 0];
  const parts = Array.from({ length: isClosed ? count : count - 1 }, (_, index) => {
    const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    const first: Point = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6];
    const second: Point = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6];
    return `C${spot(first)} ${spot(second)} ${spot(to)}`;
  });
  return `M${spot(at(0))}${parts.join('')}${isClosed ? 'Z' : ''}`;
}

export const blob = (outline: Outline, paint: string | Paint) => shape(curve(outline), paint);

/** Draws `inner` moved, enlarged and turned by degrees. */
export const placed = (
  inner: string,
  {
    at,
    scale = 1,
    flip = 1,
    turn = 0,
  }: { at: Point; scale?: number; flip?: number; turn?: number },
) =>
  `<g transform="translate(${spot(at)}) rotate(${number(turn)}) scale(${number(scale * flip)} ${number(scale)})">${inner}</g>`;

/** A rectangle over the whole sheet, coloured from top to bottom. */
export function backdrop({ w, h }: Sheet, colours: readonly string[], id = 'sky'): string {
  const stops = colours
    .map(
      (colour, index) =>
        `<stop offset="${number(index / (colours.length - 1))}" stop-color="${colour}"/>`,
    )
    .join('');
  return `<linearGradient id="${id}" x2="0" y2="1">${stops}</linearGradient>${box([0, 0], [w, h], `url(#${id})`)}`;
}

export const sky = (sheet: Sheet) =>
  backdrop(sheet, [sheet.ink.zenith, sheet.ink.sky, sheet.ink.horizon]);

/** Light that fades towards its edge. */
export function glow(at: Point, radius: number, colour: string): string {
  const id = `glow${number(at[0])}-${number(at[1])}-${number(radius)}`.replaceAll('.', '_');
  return `<radialGradient id="${id}"><stop stop-color="${colour}" stop-opacity=".75"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>${circle(at, radius, `url(#${id})`)}`;
}

/** The sun, or a moon with spots. */
export function orb(sheet: Sheet, at: Point, radius: number): string {
  const { ink, isDark } = sheet;
  const spots = [
    [-0.3, -0.25, 0.22],
    [0.32, 0.1, 0.16],
    [-0.1, 0.42, 0.13],
  ] as const;
  return [
    glow(at, radius * 2.4, ink.light),
    circle(at, radius, ink.light),
    ...(isDark
      ? spots.map(([x, y, r]) =>
          circle([at[0] + x * radius, at[1] + y * radius], r * radius, {
            fill: tint(ink.light, ink.sky, 0.2),
          }),
        )
      : []),
  ].join('');
}

/** Calls `draw` so many times and joins what it returns. */
export const repeat = (count: number, draw: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

/** A function of the column that goes up and down, different for each call. */
export function ripple({ chance }: Sheet, { length, height }: { length: number; height: number }) {
  const waves = [1, 2.1, 4.3].map((speed, index) => ({
    speed: (speed * 2 * Math.PI) / length,
    shift: chance.next() * 7,
    strength: height / 2 ** index,
  }));
  return (x: number) =>
    waves.reduce(
      (sum, { speed, shift, strength }) => sum + strength * Math.sin(x * speed + shift),
      0,
    );
}

/** Land below a rippling line. `step` is coarse for jagged mountains, fine for soft hills. */
export function land(
  sheet: Sheet,
  {
    y,
    length,
    height,
    isJagged = false,
  }: { y: number; length: number; height: number; isJagged?: boolean },
  paint: string | Paint,
): string {
  const { w, h, chance } = sheet;
  const at = ripple(sheet, { length, height });
  const count = isJagged ? Math.ceil(w / (length * 0.22)) : 12;
  const tops = Array.from({ length: count + 3 }, (_, index): Point => {
    const x = ((index - 1) / count) * w;
    const jag = isJagged ? (index % 2 === 0 ? -1 : 0.6) * height * chance.between(0.4, 1.2) : 0;
    return [x, y + at(x) + jag];
  });
  const outline = isJagged ? `M${tops.map(spot).join('L')}` : curve(tops, false);
  return shape(`${outline}L${spot([w * 1.2, h * 1.2])}L${spot([-w * 0.2, h * 1.2])}Z`, paint);
}

/** Layers of land, from far away to near. */
export function lands(
  sheet: Sheet,
  {
    from,
    to,
    count,
    isJagged = false,
  }: { from: number; to: number; count: number; isJagged?: boolean },
): string {
  const { ink } = sheet;
  return repeat(count, (index) => {
    const nearness = count === 1 ? 1 : index / (count - 1);
    return land(
      sheet,
      {
        y: lerp(from, to, nearness),
        length: lerp(70, 120, nearness),
        height: lerp(isJagged ? 9 : 4, 5, nearness),
        isJagged: isJagged && nearness < 0.7,
      },
      tint(ink.far, ink.near, nearness),
    );
  });
}

const petal = ellipse([0, 0], [1.7, 0.9], 'currentColor');
const leaf = shape('M-2 0Q0-1.8 2 0Q0 1.8-2 0Z', 'currentColor');

const turned = ({ w, h, chance }: Sheet, thing: string, colour: string) =>
  `<g color="${colour}">${placed(thing, {
    at: [chance.next() * w, chance.next() * h],
    scale: chance.between(0.6, 1.5),
    turn: chance.between(0, 360),
  })}</g>`;

/** How many things of a kind are in the air, and how one is drawn. */
const drifts: Readonly<Record<Motif, readonly [count: number, draw: (sheet: Sheet) => string]>> = {
  none: [0, () => ''],
  petals: [
    24,
    (sheet) =>
      turned(sheet, petal, tint(sheet.ink.accent, sheet.ink.light, sheet.chance.next() * 0.5)),
  ],
  leaves: [
    16,
    (sheet) =>
      turned(sheet, leaf, tint(sheet.ink.accent, sheet.ink.near, sheet.chance.next() * 0.5)),
  ],
  flakes: [
    44,
    ({ w, h, chance }) =>
      circle([chance.next() * w, chance.next() * h], chance.between(0.3, 1.1), {
        fill: '#ffffff',
        opacity: chance.between(0.5, 0.95),
      }),
  ],
  sparks: [
    34,
    ({ w, h, chance, ink }) =>
      circle([chance.next() * w, chance.next() * h], chance.between(0.25, 0.9), {
        fill: ink.accent,
        opacity: chance.between(0.4, 1),
      }),
  ],
  stars: [
    46,
    ({ w, h, chance, ink }) =>
      circle([chance.next() * w, chance.next() * h * 0.7], chance.between(0.15, 0.6), {
        fill: ink.light,
        opacity: chance.between(0.4, 1),
      }),
  ],
  rain: [
    40,
    ({ w, h, chance, ink }) => {
      const length = chance.between(3, 7);
      const from: Point = [chance.next() * w, chance.next() * h];
      return shape(`M${spot(from)}l${spot([-length * 0.25, length])}`, {
        stroke: ink.light,
        width: 0.35,
        opacity: 0.4,
      });
    },
  ],
};

/** Small things in the air, all over the sheet. */
export function drift(sheet: Sheet): string {
  const [count, draw] = drifts[sheet.motif];
  return repeat(count, () => draw(sheet));
}
