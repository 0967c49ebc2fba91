/** Covers of models and styles: drawings in many compositions, each drawn by rules as SVG, without AI. */
import sharp from 'sharp';

import {
  drawBird,
  drawBottle,
  drawKoi,
  drawLineArt,
  drawMecha,
  drawPortrait,
  drawRimLight,
  drawStillLife,
  drawWanderer,
} from './cover-people.ts';
import {
  drawCity,
  drawFestival,
  drawField,
  drawHarbour,
  drawInkWash,
  drawMountains,
  drawSunburst,
  drawTeaHouse,
  drawWave,
} from './cover-places.ts';
import {
  backdrop,
  box,
  circle,
  curve,
  lands,
  type Motif,
  orb,
  placed,
  polygon,
  repeat,
  ripple,
  shape,
  type Sheet,
  sky,
  tint,
} from './cover-shapes.ts';
import { brightness, lerp, parseColour, type Point } from './drawing.ts';
import { chanceFrom } from './random.ts';
import { getSwatches, type PaletteName } from './scene.ts';

/** A large flower with its leaves, as in a book of plants. */
function drawBotanical(sheet: Sheet): string {
  const { w, h, chance, ink, isDark } = sheet;
  const paper = isDark ? tint(ink.zenith, '#000000', 0.2) : tint(ink.light, '#f6f0df', 0.6);
  const green = tint(isDark ? '#6fae84' : '#3f6b4c', ink.near, 0.25);
  const petals = Math.round(chance.between(6, 13));
  const rings = [1, 0.72, 0.45];
  const stem = shape(`M0 0C-5 28 6 52 0 96`, { stroke: green, width: 2 });
  const leaf = (y: number, side: number, scale: number) =>
    placed(
      `${shape('M0 0C10-16 28-18 40-10C32 2 14 6 0 0Z', green)}${shape('M0 0C12-6 24-9 36-9', { stroke: tint(green, paper, 0.5), width: 0.7 })}`,
      { at: [0, y], scale, flip: side, turn: side * -8 },
    );
  const bloom = rings
    .map((ring, row) =>
      repeat(petals, (index) =>
        placed(
          shape(
            'M0 0C-9-9-7-25 0-31C7-25 9-9 0 0Z',
            tint(ink.accent, row === 0 ? ink.near : ink.light, row === 0 ? 0.2 : row * 0.28),
          ),
          {
            at: [0, 0],
            scale: ring,
            turn: ((index + row * 0.5) * 360) / petals,
          },
        ),
      ),
    )
    .join('');
  return [
    box([0, 0], [w, h], paper),
    box([4, 4], [w - 8, h - 8], { stroke: tint(paper, ink.near, 0.35), width: 0.6 }),
    placed(
      `${stem}${leaf(40, 1, 0.95)}${leaf(54, -1, 1.05)}${leaf(76, 1, 0.8)}${bloom}${circle([0, 0], 5.5, tint(ink.accent, '#f2c14b', 0.6))}`,
      {
        at: [w / 2, h * 0.38],
        scale: 1.05,
        flip: chance.pick([-1, 1]),
        turn: chance.between(-6, 6),
      },
    ),
  ].join('');
}

/** Bands that flow over the sheet. */
function drawFlow(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const shades = [ink.light, ink.horizon, ink.accent, ink.sky, ink.far, ink.zenith, ink.near];
  const count = 11;
  const turn = chance.between(-38, 38);
  const bands = repeat(count, (index) => {
    const y = lerp(-70, 85, index / (count - 1));
    const at = ripple(sheet, { length: 105, height: 9 });
    const tops = Array.from({ length: 9 }, (_, step): Point => [
      step * 30 - 120,
      y + at(step * 30),
    ]);
    const place = (index / count) * (shades.length - 1);
    const fill = tint(
      shades[Math.floor(place)] ?? ink.sky,
      shades[Math.ceil(place)] ?? ink.sky,
      place % 1,
    );
    return shape(`${curve(tops, false)}L140 160L-130 160Z`, {
      fill,
      stroke: tint(fill, '#ffffff', 0.28),
      width: 0.5,
    });
  });
  return `${box([0, 0], [w, h], ink.light)}${placed(bands, { at: [w / 2, h / 2], scale: 1.1, turn })}`;
}

/** A round window of coloured panes between lines of lead. */
function drawStainedGlass(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const lead = tint(ink.near, '#0a0a0c', 0.6);
  const shades = [
    ink.accent,
    ink.sky,
    ink.horizon,
    ink.far,
    ink.light,
    ink.zenith,
    tint(ink.accent, ink.zenith, 0.5),
  ] as const;
  const parts = chance.pick([8, 10, 12, 16]);
  const pane = ([inner, outer]: Point, shift: number) =>
    repeat(parts, (index) => {
      const corner = (radius: number, step: number): Point => [
        radius * Math.cos(((index + step + shift) * 2 * Math.PI) / parts),
        radius * Math.sin(((index + step + shift) * 2 * Math.PI) / parts),
      ];
      return polygon(
        [
          corner(inner, 0.5),
          corner((inner + outer) / 2, 0),
          corner(outer, 0.5),
          corner((inner + outer) / 2, 1),
        ],
        {
          fill: tint(
            shades[(index + Math.round(inner)) % shades.length] ?? ink.sky,
            '#ffffff',
            chance.next() * 0.18,
          ),
          stroke: lead,
          width: 1.1,
        },
      );
    });
  const cells = 7;
  const cell = w / cells;
  return [
    box([0, 0], [w, h], lead),
    repeat(cells * Math.ceil(h / cell), (index) =>
      box(
        [(index % cells) * cell + 0.5, Math.floor(index / cells) * cell + 0.5],
        [cell - 1, cell - 1],
        tint(chance.pick(shades), ink.near, 0.5),
      ),
    ),
    circle([w / 2, h * 0.44], 46, lead),
    placed(pane([28, 60], 0), { at: [w / 2, h * 0.44], scale: 0.74 }),
    placed(
      `${pane([14, 42], 0.5)}${pane([5, 24], 0)}${circle([0, 0], 8, { fill: ink.light, stroke: lead, width: 1.4 })}`,
      { at: [w / 2, h * 0.44], scale: 0.9 },
    ),
    circle([w / 2, h * 0.44], 45, { stroke: lead, width: 2.4 }),
  ].join('');
}

/** A landscape of large squares. */
function drawPixels(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const cell = 4;
  const columns = Math.ceil(w / cell);
  const rows = Math.ceil(h / cell);
  const line = Math.round(rows * 0.6);
  const [far, near] = [
    ripple(sheet, { length: 26, height: 2.6 }),
    ripple(sheet, { length: 17, height: 1.4 }),
  ];
  const sun: Point = [Math.round(columns * chance.between(0.25, 0.75)), Math.round(rows * 0.24)];
  const gate = Math.round(columns * chance.between(0.32, 0.6));
  const shades = [
    ink.zenith,
    tint(ink.zenith, ink.sky, 0.5),
    ink.sky,
    tint(ink.sky, ink.horizon, 0.5),
    ink.horizon,
  ];
  const isCastle = (x: number, y: number) => {
    const [dx, up] = [Math.abs(x - gate), line - y];
    return (
      (dx <= 3 && up >= 0 && up < 4) ||
      (dx === 3 && up < 8 && up >= 0) ||
      (dx === 0 && up < 6 && up >= 0) ||
      (dx <= 4 && dx >= 2 && up === 7)
    );
  };
  const colourAt = (x: number, y: number): string => {
    if (y > line + 4 + near(x)) {
      return (x * 7 + y * 3) % 5 === 0 ? tint(ink.near, ink.accent, 0.3) : ink.near;
    }
    if (isCastle(x, y)) {
      return (x + y) % 3 === 0 ? tint(ink.near, ink.far, 0.4) : tint(ink.near, ink.far, 0.25);
    }
    if (y > line - 2 + far(x)) {
      return (x + y) % 2 === 0 ? ink.far : tint(ink.far, ink.near, 0.18);
    }
    if (Math.hypot(x - sun[0], y - sun[1]) < 3.4) {
      return ink.light;
    }
    const place = (y / line) * (shades.length - 1);
    const dithered = Math.floor(place + ((x + y) % 2 === 0 ? 0.25 : 0.75));
    return shades[Math.max(0, Math.min(shades.length - 1, dithered))] ?? ink.sky;
  };
  return `<g shape-rendering="crispEdges">${repeat(columns * rows, (index) => {
    const [x, y] = [index % columns, Math.floor(index / columns)];
    return box([x * cell, y * cell], [cell, cell], colourAt(x, y));
  })}</g>`;
}

/** Three frames of a film. */
function drawFilm(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const frame = (h - 16) / 3;
  const width = w - 26;
  const black = '#141312';
  return [
    box([0, 0], [w, h], black),
    repeat(3, (index) => {
      const inside = { ...sheet, w: width, h: frame };
      const scenes = [
        () =>
          `${sky(inside)}${orb(inside, [width * chance.between(0.3, 0.7), frame * 0.5], frame * 0.2)}${lands(inside, { from: frame * 0.62, to: frame * 0.86, count: 3 })}`,
        () =>
          `${backdrop(inside, [ink.horizon, ink.light], `film${index}`)}${circle([width * 0.5, frame * 1.02], frame * 0.5, ink.near)}${circle([width * 0.5, frame * 0.42], frame * 0.21, ink.near)}`,
        () =>
          `${box([0, 0], [width, frame], tint(ink.sky, ink.near, 0.3))}${repeat(9, (bar) => box([(bar * width) / 9, frame * chance.between(0.15, 0.6)], [width / 9 - 1, frame], tint(ink.far, ink.near, chance.next())))}`,
      ];
      return `<svg x="13" y="${4 + index * (frame + 4)}" width="${width}" height="${frame}" viewBox="0 0 ${width} ${frame}">${scenes[index]?.() ?? ''}</svg>`;
    }),
    repeat(Math.ceil(h / 7), (index) =>
      [3.4, w - 8].map((x) => box([x, index * 7 + 2], [4.6, 3.4], '#e9e3d6')).join(''),
    ),
  ].join('');
}

const drawings = {
  portrait: drawPortrait,
  'rim-light': drawRimLight,
  'line-art': drawLineArt,
  wanderer: drawWanderer,
  mecha: drawMecha,
  bird: drawBird,
  koi: drawKoi,
  'still-life': drawStillLife,
  bottle: drawBottle,
  botanical: drawBotanical,
  'ink-wash': drawInkWash,
  mountains: drawMountains,
  sunburst: drawSunburst,
  field: drawField,
  city: drawCity,
  festival: drawFestival,
  'tea-house': drawTeaHouse,
  harbour: drawHarbour,
  wave: drawWave,
  flow: drawFlow,
  'stained-glass': drawStainedGlass,
  pixels: drawPixels,
  film: drawFilm,
} as const satisfies Readonly<Record<string, (sheet: Sheet) => string>>;

export type Composition = keyof typeof drawings;
const isComposition = (name: string): name is Composition => Object.hasOwn(drawings, name);
export const compositions: readonly Composition[] = Object.keys(drawings).filter(isComposition);

export type CoverRequest = {
  readonly composition: Composition;
  readonly palette: PaletteName;
  readonly motif?: Motif;
  /** Any text; another one gives another cover of the same composition. */
  readonly seed: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
};

const webpQuality = 80;
const darkBelow = 72;

/** Returns a WebP. The same request always returns the same bytes. */
export async function renderCover(request: CoverRequest): Promise<Buffer> {
  const { composition, palette, motif = 'none', seed, width, height } = request;
  const ink = getSwatches(palette);
  const unit = Math.min(width, height) / 100;
  const [w, h] = [width / unit, height / unit];
  const sheet = {
    w,
    h,
    chance: chanceFrom(JSON.stringify([seed, composition, palette])),
    ink,
    isDark: brightness(parseColour(ink.zenith)) < darkBelow,
    motif,
  };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${w} ${h}">${drawings[composition](sheet)}</svg>`;
  return sharp(Buffer.from(svg)).webp({ quality: webpQuality }).toBuffer();
}
