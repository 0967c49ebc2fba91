/** Covers with one subject in the middle: a person, a robot, an animal, or what stands on a table. */
import {
  backdrop,
  blob,
  box,
  circle,
  curve,
  drift,
  ellipse,
  glow,
  land,
  lands,
  orb,
  type Paint,
  placed,
  polygon,
  repeat,
  shape,
  type Sheet,
  sky,
  tint,
} from './cover-shapes.ts';
import { type Point } from './drawing.ts';

const skins = ['#f8dcc6', '#f0c4a2', '#d29a70', '#96613f', '#f5cfb8'] as const;

type Bust = {
  readonly skin: string;
  readonly hair: string;
  readonly coat: string;
  readonly line: string | undefined;
};

/** Hair behind the head, around a face whose chin is at (0, 20). */
const hairs: readonly [string, ...string[]] = [
  '0,-24 19,-16 23,4 20,24 10,27 -10,27 -20,24 -23,4 -19,-16',
  '0,-24 19,-17 24,8 29,36 24,62 -24,62 -29,36 -24,8 -19,-17',
  '0,-23 16,-18 20,-2 17,12 -17,12 -20,-2 -16,-18',
];
const fringes: readonly [string, ...string[]] = [
  '0,-21 15,-16 19,-1 12,-6 7,-1 1,-7 -6,-1 -12,-6 -19,-1 -15,-16',
  '2,-21 16,-15 19,2 13,-8 3,-11 -8,-4 -18,4 -18,-8 -13,-17',
  '-2,-21 13,-17 18,0 8,-9 -6,-12 -15,-4 -19,3 -17,-10',
];

/** Head and shoulders; the face is 30 units wide, its middle is at (0, 0). */
function bust({ chance, ink, motif }: Sheet, { skin, hair, coat, line }: Bust): string {
  const paint = (fill: string): Paint =>
    line === undefined ? { fill } : { fill, stroke: line, width: 0.9 };
  const edge = line ?? tint(hair, '#000000', 0.35);
  const isOpen = chance.isLikely(0.5);
  const back = chance.pick(hairs);
  const bun = back === hairs[2] ? blob('0,-36 9,-30 7,-20 -7,-20 -9,-30', paint(hair)) : '';
  const eyes = [-7, 7]
    .map((x) =>
      isOpen
        ? `${ellipse([x, 3], [2, 2.9], edge)}${circle([x + 0.7, 2], 0.8, '#ffffff')}${shape(`M${x - 3.4} 1.2Q${x} -2 ${x + 3.4} 1`, { stroke: edge, width: 1 })}`
        : shape(`M${x - 3.2} 3Q${x} 6 ${x + 3.2} 3`, { stroke: edge, width: 1 }),
    )
    .join('');
  const blush = [-10, 10]
    .map((x) => ellipse([x, 8.5], [2.9, 1.5], { fill: ink.accent, opacity: 0.45 }))
    .join('');
  const flower = motif === 'petals' || motif === 'leaves';
  const jewel = flower
    ? repeat(5, (index) =>
        circle(
          [15 + 2.6 * Math.cos(index * 1.257), -11 + 2.6 * Math.sin(index * 1.257)],
          2.1,
          paint(ink.accent),
        ),
      )
    : `${circle([-15.5, 13], 1.5, ink.accent)}${circle([15.5, 13], 1.5, ink.accent)}`;
  return [
    bun,
    blob(back, paint(hair)),
    blob('-6,14 6,14 8,34 -8,34', paint(tint(skin, '#7a3b2e', 0.16))),
    blob('-9,27 9,27 32,38 38,75 -38,75 -32,38', paint(coat)),
    polygon('-9,27 0,40 9,27', paint(skin)),
    blob('0,-17 13,-12 15,2 11,13 0,20 -11,13 -15,2 -13,-12', paint(skin)),
    blush,
    eyes,
    shape('M-2.6 12.4Q0 14.4 2.6 12.4', { stroke: tint(skin, '#8a2d2d', 0.6), width: 0.9 }),
    blob(chance.pick(fringes), paint(hair)),
    jewel,
  ].join('');
}

/** A face in front of a disc of light. */
export function drawPortrait(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const hair = chance.pick([
    ink.near,
    ink.accent,
    tint(ink.sky, ink.near, 0.6),
    '#4a2c22',
    '#e9dcc6',
  ]);
  const person = {
    skin: chance.pick(skins),
    hair,
    coat: tint(ink.zenith, ink.near, 0.35),
    line: undefined,
  };
  const at: Point = [w / 2 + chance.between(-4, 4), h * 0.43];
  return [
    backdrop(sheet, [tint(ink.sky, ink.light, 0.25), ink.horizon]),
    circle([w / 2, h * 0.42], 38, tint(ink.horizon, ink.light, 0.7)),
    circle([w / 2, h * 0.42], 43, { stroke: ink.accent, width: 0.6, opacity: 0.8 }),
    drift(sheet),
    placed(bust(sheet, person), { at, scale: 1.12, flip: chance.pick([-1, 1]) }),
  ].join('');
}

/** A dark head whose edge is lit from the side. */
export function drawRimLight(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const dark = tint(ink.near, '#000000', 0.45);
  const profile =
    'M-30 75C-28 48-20 42-8 38C-6 32-6 28-8 24C-19 20-25 8-23-7C-21-23-8-31 5-29C17-28 24-19 24-8C24-5 24-3 25 0L29 7C29.6 9 28 9.6 26.4 10C27 12 27 13 26 14C27 15.6 26.4 17 25 17.6C25.6 21 24 24 19 24C14 24 12 25 11 28C11 33 13 37 18 39C30 43 36 52 38 75Z';
  const side = chance.pick([-1, 1]);
  return [
    backdrop(sheet, [tint(ink.zenith, '#000000', 0.35), tint(ink.near, '#000000', 0.2)]),
    glow([w / 2 + side * 34, h * 0.36], 66, ink.accent),
    drift(sheet),
    placed(
      `${shape(profile, { fill: ink.light, stroke: ink.accent, width: 1.6 })}${placed(shape(profile, dark), { at: [-1.6, 0.5] })}${shape('M-12-24C-34-20-36 10-31 30C-29 40-33 48-38 54C-26 54-18 46-14 36L-6 10Z', dark)}`,
      { at: [w / 2 - side * 4, h * 0.42], scale: 1.2, flip: side },
    ),
  ].join('');
}

/** A drawing in lines on paper, with one flat colour beside them. */
export function drawLineArt(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const line = tint(ink.near, '#101010', 0.4);
  const paper = tint(ink.light, '#fbf8f0', 0.75);
  const person = { skin: paper, hair: paper, coat: paper, line };
  return [
    box([0, 0], [w, h], paper),
    circle([w * chance.between(0.3, 0.7), h * 0.34], 30, tint(ink.accent, paper, 0.2)),
    placed(bust(sheet, person), { at: [w / 2, h * 0.43], scale: 1.2, flip: chance.pick([-1, 1]) }),
    shape(`M6 ${h - 6}L${w - 6} ${h - 6}`, { stroke: line, width: 0.5 }),
  ].join('');
}

/** A person in a long coat, small under a huge moon. */
export function drawWanderer(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const dark = tint(ink.near, '#000000', 0.35);
  const figure = [
    blob('-3,-37 3,-37 7,-20 12,-1 0,1.5 -12,-1 -7,-20', dark),
    shape('M-4 0L-4 9M4 0L4 9', { stroke: dark, width: 3.2 }),
    ellipse([0, -42.5], [4.6, 5.4], dark),
    blob('-5,-45 0,-49.5 5,-45 5.6,-39 0,-37 -5.6,-39', dark),
    blob('-4,-37.5 4,-38 15,-41 27,-35 34,-38 27,-30 14,-34', ink.accent),
  ].join('');
  const ground = h - 21;
  return [
    backdrop(sheet, [ink.zenith, ink.sky, tint(ink.sky, ink.horizon, 0.6)]),
    orb(sheet, [w / 2 + chance.between(-6, 6), h * 0.4], 31),
    land(sheet, { y: ground, length: 130, height: 3 }, dark),
    repeat(34, () => {
      const x = chance.next() * w;
      return shape(
        `M${x.toFixed(1)} ${h}q${chance.between(-2, 2).toFixed(1)}-12 ${chance.between(-4, 4).toFixed(1)}-${chance.between(17, 25).toFixed(1)}`,
        {
          stroke: dark,
          width: 0.8,
        },
      );
    }),
    placed(figure, { at: [w / 2, ground - 6], scale: 1.15, flip: chance.pick([-1, 1]) }),
    drift(sheet),
  ].join('');
}

/** A shape and its mirror image, which is darker. */
const both = (outline: string, fill: string) =>
  polygon(outline, fill) +
  placed(polygon(outline, tint(fill, '#000000', 0.16)), { at: [0, 0], flip: -1 });

/** The head and shoulders of a robot, all straight edges. */
export function drawMecha(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const steel = chance.pick([tint(ink.far, '#dfe4ea', 0.5), tint(ink.horizon, '#ffffff', 0.4)]);
  const shade = tint(steel, ink.near, 0.55);
  const dark = tint(ink.near, '#000000', 0.3);
  const robot = [
    both('0,34 44,30 60,46 60,90 0,90', shade),
    both('26,26 46,20 62,34 58,56 34,50', steel),
    both('30,31 44,27 52,36 36,40', ink.accent),
    both('0,20 13,18 16,36 0,42', dark),
    both('0,-30 15,-27 24,-10 22,12 11,24 0,26', steel),
    both('0,-13 20,-9 18,4 0,1', dark),
    both('4,-8 17,-5.5 15,-0.5 4,-2.5', ink.accent),
    both('0,-36 4,-30 3,-14 0,-12', ink.accent),
    both('4,-26 24,-48 26,-46 11,-22', ink.light),
    both('5,12 11,10 9,21 4,23', shade),
    both('20,-12 28,-10 28,8 21,12', shade),
  ].join('');
  return [
    backdrop(sheet, [ink.zenith, ink.sky]),
    repeat(9, (index) =>
      shape(
        `M${w / 2} ${h * 0.4}L${(w / 2 + 160 * Math.cos(index * 0.7)).toFixed(1)} ${(h * 0.4 + 160 * Math.sin(index * 0.7)).toFixed(1)}`,
        {
          stroke: ink.horizon,
          width: 5,
          opacity: 0.16,
        },
      ),
    ),
    glow([w / 2, h * 0.42], 52, ink.horizon),
    placed(robot, { at: [w / 2, h * 0.44], scale: 1.05 }),
    drift(sheet),
  ].join('');
}

/** A large bird on a branch. */
export function drawBird(sheet: Sheet): string {
  const { w, h, chance, ink, isDark } = sheet;
  const body = chance.pick([
    ink.accent,
    tint(ink.zenith, ink.accent, 0.3),
    tint(ink.horizon, '#ffffff', 0.3),
  ]);
  const wing = tint(body, ink.near, 0.6);
  const wood = tint(ink.near, '#2a1a12', 0.4);
  const bird = [
    polygon('-17,6 -46,27 -41,33 -13,16', wing),
    blob('-20,12 -13,-6 4,-16 9,-27 20,-31 28,-24 26,-12 22,6 8,20 -9,20', body),
    blob('22,-12 20,5 8,18 0,14 9,-4', tint(body, '#fff7e8', 0.75)),
    blob('-18,12 -12,-3 3,-9 6,2 -6,13', wing),
    polygon('27.5,-25 38,-21 27,-19', tint(ink.accent, '#3a2410', 0.5)),
    circle([21, -23], 1.9, '#14120f'),
    circle([21.7, -23.7], 0.6, '#ffffff'),
    shape('M2 19L2 27M8 18L9 27', { stroke: wood, width: 1.4 }),
  ].join('');
  const side = chance.pick([-1, 1]);
  const y = h * 0.62;
  const leaf = (at: Point, turn: number) =>
    placed(
      shape(
        'M0 0Q6-6 13 0Q6 6 0 0Z',
        tint(isDark ? ink.far : ink.near, ink.accent, chance.next() * 0.7),
      ),
      {
        at,
        turn,
        scale: chance.between(0.7, 1.1),
      },
    );
  return [
    backdrop(sheet, [
      tint(ink.horizon, ink.light, isDark ? 0 : 0.6),
      isDark ? ink.sky : ink.horizon,
    ]),
    orb(sheet, [w * 0.5 - side * 20, h * 0.27], 15),
    placed(shape(curve('-80,14 -30,6 10,8 70,-4', false), { stroke: wood, width: 3.4 }), {
      at: [w / 2, y + 8],
      flip: side,
    }),
    repeat(15, (index) =>
      leaf([(index / 14) * w, y + 12 + chance.between(-5, 4)], chance.between(-160, 160)),
    ),
    placed(bird, { at: [w / 2 - side * 2, y - 9], scale: 1.08, flip: side }),
    drift(sheet),
  ].join('');
}

/** Fish in a pond, seen from above. */
export function drawKoi(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const water = tint(ink.zenith, ink.sky, 0.35);
  const fish = (fill: string) =>
    [
      shape(
        'M0-22C8-17 9 0 3 17C6 22 9 29 7 35C3 32 1 28 0 25C-1 28-3 32-7 35C-9 29-6 22-3 17C-9 0-8-17 0-22Z',
        tint(ink.light, '#ffffff', 0.4),
      ),
      shape('M-6-8C-14-6-17 0-16 4C-11 4-8 1-6-2ZM6-8C14-6 17 0 16 4C11 4 8 1 6-2Z', {
        fill,
        opacity: 0.75,
      }),
      shape('M0-20C7-16 7-8 2-6C-3-9-7-12-4-18ZM-4 2C0-3 6 2 3 9C-1 12-5 8-4 2Z', fill),
      circle([-3, -16], 0.9, '#1b1b1f'),
      circle([3, -16], 0.9, '#1b1b1f'),
    ].join('');
  const pad = (at: Point, radius: number) =>
    placed(
      `${shape('M0 0L9.6-2.6A10 10 0 1 0 9.6 2.6Z', tint(ink.far, '#3f7a4d', 0.6))}${circle([-2, 0], 1.6, { fill: ink.accent, opacity: 0.8 })}`,
      { at, scale: radius / 10, turn: chance.between(0, 360) },
    );
  const turn = chance.between(-40, 40);
  return [
    backdrop(sheet, [water, tint(water, ink.near, 0.55)]),
    repeat(6, (index) =>
      circle([w * 0.5, h * 0.44], 9 + index * 11, {
        stroke: ink.light,
        width: 0.6,
        opacity: 0.5 - index * 0.07,
      }),
    ),
    placed(fish(ink.accent), { at: [w * 0.36, h * 0.36], scale: 1.05, turn: turn + 18 }),
    placed(fish(chance.pick(['#2b2a33', '#d9512c', ink.near])), {
      at: [w * 0.66, h * 0.54],
      scale: 1.15,
      turn: turn + 196,
    }),
    pad([w * 0.12, h * 0.14], 17),
    pad([w * 0.9, h * 0.2], 12),
    pad([w * 0.16, h * 0.78], 13),
    pad([w * 0.86, h * 0.84], 18),
    drift(sheet),
  ].join('');
}

const fruit = (at: Point, radius: number, fill: string) =>
  `${ellipse([at[0] + 3, at[1] + radius * 0.85], [radius * 1.25, radius * 0.3], { fill: '#000000', opacity: 0.2 })}${circle(at, radius, fill)}${circle([at[0] - radius * 0.35, at[1] - radius * 0.35], radius * 0.28, { fill: '#ffffff', opacity: 0.35 })}${shape(`M${at[0]} ${at[1] - radius}l1-3`, { stroke: '#3b2a1e', width: 0.9 })}`;

/** A vase and fruit on a table, lit through a window. */
export function drawStillLife(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const wall = tint(ink.horizon, ink.far, 0.35);
  const table = h * 0.68;
  const glaze = chance.pick([
    tint(ink.zenith, ink.near, 0.2),
    tint(ink.accent, ink.near, 0.25),
    tint(ink.light, ink.far, 0.25),
  ]);
  const stems = repeat(6, (index) => {
    const lean = (index - 2.5) * 8 + chance.between(-2, 2);
    const top = -56 - chance.between(0, 15);
    const flower = repeat(5, (petal) =>
      circle(
        [lean + 3 * Math.cos(petal * 1.257), top + 3 * Math.sin(petal * 1.257)],
        2.7,
        tint(ink.accent, ink.light, index * 0.12),
      ),
    );
    return `${shape(`M0-30Q${(lean * 0.3).toFixed(1)} ${(top * 0.7).toFixed(1)} ${lean.toFixed(1)} ${top.toFixed(1)}`, { stroke: '#46603f', width: 1 })}${flower}${circle([lean, top], 1.6, ink.light)}`;
  });
  const vase = shape(
    'M-7-34C-6-28-17-22-17-9C-17 0-11 5-9 6L9 6C11 5 17 0 17-9C17-22 6-28 7-34Z',
    glaze,
  );
  const shine = shape('M-12-10C-12-17-8-21-6-23', { stroke: '#ffffff', width: 1.6, opacity: 0.5 });
  const side = chance.pick([-1, 1]);
  const x = w / 2;
  return [
    backdrop(sheet, [wall, tint(wall, ink.near, 0.35)]),
    polygon(
      [
        [x - side * 10, 0],
        [x + side * 36, 0],
        [x + side * 8, table],
        [x - side * 40, table],
      ],
      { fill: ink.light, opacity: 0.32 },
    ),
    box([0, table], [w, h - table], tint(ink.near, '#6b4630', 0.45)),
    box([0, table], [w, 1.2], tint(ink.near, '#c99a6c', 0.6)),
    ellipse([x - side * 12, table + 11], [25, 3.4], { fill: '#000000', opacity: 0.22 }),
    placed(stems + vase + shine, { at: [x - side * 12, table + 5] }),
    fruit([x + side * 17, table + 3], 8.5, tint(ink.accent, '#d9512c', 0.35)),
    fruit([x + side * 31, table + 6], 6.5, tint(ink.accent, '#e9c14c', 0.5)),
    fruit([x + side * 23, table + 10], 5.5, tint(ink.far, '#7fa35a', 0.55)),
  ].join('');
}

/** A bottle that holds a landscape. */
export function drawBottle(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const glass =
    'M-9-44L9-44L9-26C9-20 29-14 29 10L29 34C29 41 25 44 18 44L-18 44C-25 44-29 41-29 34L-29 10C-29-14-9-20-9-26Z';
  const inside = { ...sheet, w: 60, h: 90 };
  const scene = `<clipPath id="glass"><path d="${glass}"/></clipPath><g clip-path="url(#glass)"><g transform="translate(-30 -46)">${sky(inside)}${orb(inside, [36, 46], 7)}${lands(inside, { from: 62, to: 78, count: 3, isJagged: true })}</g></g>`;
  return [
    backdrop(sheet, [tint(ink.light, ink.horizon, 0.5), tint(ink.horizon, ink.far, 0.5)], 'wall'),
    circle([w / 2, h * 0.42], 41, { fill: ink.light, opacity: 0.45 }),
    ellipse([w / 2, h * 0.44 + 49], [36, 4.5], { fill: ink.near, opacity: 0.35 }),
    placed(
      `${scene}${shape(glass, { stroke: '#ffffff', width: 1.6, opacity: 0.85 })}${box([-8, -54], [16, 12], tint('#b98a5a', ink.near, 0.2))}${shape('M-22 34L-22 12C-22 0-16-6-11-10', { stroke: '#ffffff', width: 2.2, opacity: 0.65 })}`,
      { at: [w / 2, h * 0.44], scale: 1.06, turn: chance.between(-5, 5) },
    ),
    drift(sheet),
  ].join('');
}
