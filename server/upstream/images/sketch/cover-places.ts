/** Covers that show a place, and those that are a pattern. */
import {
  backdrop,
  box,
  circle,
  curve,
  drift,
  ellipse,
  glow,
  land,
  lands,
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
import { lerp, type Point } from './drawing.ts';

/** Mountains in mist, brushed on paper, with a red seal. */
export function drawInkWash(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const paper = tint(ink.light, '#f4efe2', 0.7);
  const brush = tint(ink.near, '#1c1d22', 0.5);
  const side = chance.pick([-1, 1]);
  const seal = side < 0 ? w - 14 : 6;
  return [
    box([0, 0], [w, h], paper),
    circle([w / 2 + side * 20, h * 0.2], 9, { fill: '#c8402f', opacity: 0.85 }),
    repeat(5, (index) => {
      const y = lerp(h * 0.32, h * 0.88, index / 4);
      const id = `mist${index}`;
      const colour = tint(paper, brush, 0.22 + index * 0.17);
      return `<linearGradient id="${id}" x2="0" y2="1"><stop stop-color="${colour}"/><stop offset=".45" stop-color="${paper}"/></linearGradient>${land(sheet, { y, length: 60 + index * 14, height: 12 - index, isJagged: true }, `url(#${id})`)}`;
    }),
    placed(
      `${shape('M40-30C22-26 10-20-6-22C-16-22-22-18-30-20', { stroke: brush, width: 2.2 })}${repeat(9, (index) => ellipse([-28 + index * 7, -24 - (index % 3) * 4], [7, 2.4], { fill: brush, opacity: 0.8 }))}`,
      { at: [side < 0 ? 22 : w - 22, h * 0.44], flip: -side, scale: 1.1 },
    ),
    box([seal, 8], [8, 12], { fill: '#c8402f', opacity: 0.9 }),
    shape(`M${seal + 2} 11h4M${seal + 4} 11v6M${seal + 2} 17h4`, { stroke: paper, width: 0.8 }),
  ].join('');
}

/** Jagged mountains in many layers. */
export function drawMountains(sheet: Sheet): string {
  const { w, h, chance } = sheet;
  return [
    sky(sheet),
    orb(sheet, [w * chance.between(0.3, 0.7), h * 0.26], 8),
    lands(sheet, { from: h * 0.42, to: h * 0.86, count: 6, isJagged: true }),
    drift(sheet),
  ].join('');
}

/** Rays of a low sun over land. */
export function drawSunburst(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const centre: Point = [w * chance.between(0.4, 0.6), h * 0.56];
  const rays = 15;
  return [
    backdrop(sheet, [ink.zenith, ink.horizon]),
    repeat(rays, (index) => {
      const angle = ((index - 0.25) / rays) * 2 * Math.PI;
      const far = (turn: number): Point => [
        centre[0] + 170 * Math.cos(angle + turn),
        centre[1] + 170 * Math.sin(angle + turn),
      ];
      return polygon([centre, far(0), far(Math.PI / rays)], { fill: ink.light, opacity: 0.34 });
    }),
    circle(centre, 25, tint(ink.horizon, ink.accent, 0.6)),
    circle(centre, 20, ink.light),
    lands(sheet, { from: h * 0.66, to: h * 0.86, count: 3 }),
    drift(sheet),
  ].join('');
}

const cloud = (at: Point, scale: number) =>
  placed(
    `${ellipse([0, 0], [15, 4.5], '#ffffff')}${circle([-5, -3], 5.5, '#ffffff')}${circle([4, -4.5], 7, '#ffffff')}`,
    { at, scale },
  );

/** Rows of a field that run to the horizon, and one tree. */
export function drawField(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const line = h * 0.5;
  const gone: Point = [w * chance.between(0.35, 0.65), line];
  const rows = 13;
  const x = w * chance.pick([0.2, 0.78]);
  return [
    sky(sheet),
    `<g opacity=".65">${cloud([w * 0.25, h * 0.16], 1)}${cloud([w * 0.72, h * 0.26], 1.3)}</g>`,
    land(sheet, { y: line - 4, length: 90, height: 3 }, ink.far),
    box([0, line], [w, h - line], tint(ink.far, ink.near, 0.35)),
    repeat(rows, (index) => {
      const foot = w / 2 + (index - rows / 2) * 26;
      return polygon([gone, [foot, h], [foot + 13, h]], tint(ink.accent, ink.far, 0.35));
    }),
    box([x - 0.9, line - 14], [1.8, 17], ink.near),
    ...[
      [0, -22, 10],
      [-7, -16, 7],
      [7, -16, 7.5],
    ].map(([dx = 0, dy = 0, r = 0]) =>
      circle([x + dx, line + dy], r, tint(ink.near, ink.accent, 0.22)),
    ),
    drift(sheet),
  ].join('');
}

/** The lit windows of a building. */
function windows({ chance, ink, h }: Sheet, [left, top]: Point, width: number): string {
  const columns = Math.max(0, Math.floor((width - 2.4) / 3.4));
  return repeat(columns * Math.ceil((h - top - 6) / 4.6), (index) => {
    const at: Point = [
      left + 1.8 + (index % columns) * 3.4,
      top + 3 + Math.floor(index / columns) * 4.6,
    ];
    return chance.isLikely(0.32)
      ? box(at, [1.6, 2.2], chance.isLikely(0.25) ? ink.accent : ink.light)
      : '';
  });
}

/** A skyline at night with lit windows. */
export function drawCity(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const layer = (nearness: number): string => {
    const wall = tint(ink.far, ink.near, nearness);
    const parts: string[] = [];
    for (let left = -2; left < w; left += 2) {
      const width = chance.between(8, 15) * lerp(0.8, 1.25, nearness);
      const top = h * lerp(0.34, 0.6, nearness) + chance.between(-15, 15);
      const mast = chance.isLikely(0.35)
        ? box([left + width / 2 - 0.4, top - 8], [0.8, 8], wall)
        : '';
      parts.push(box([left, top], [width, h], wall), mast, windows(sheet, [left, top], width));
      left += width - chance.between(0, 2);
    }
    return `<g opacity="${lerp(0.75, 1, nearness)}">${parts.join('')}</g>`;
  };
  return [
    sky(sheet),
    orb(sheet, [w * chance.between(0.25, 0.75), h * 0.2], 9),
    layer(0.15),
    layer(0.95),
    drift(sheet),
  ].join('');
}

/** Lanterns on strings over a street with stalls. */
export function drawFestival(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const dark = tint(ink.near, '#000000', 0.3);
  const night = tint(ink.zenith, '#0b0a1c', 0.45);
  const string = (y: number, sag: number, size: number) => {
    const count = 6;
    const lanterns = repeat(count, (index) => {
      const share = (index + 0.5) / count;
      const at: Point = [share * w, y + sag * 4 * share * (1 - share)];
      const fill = index % 2 === 0 ? ink.accent : tint(ink.accent, '#e8452c', 0.6);
      return `${glow([at[0], at[1] + size], size * 2.6, ink.accent)}${ellipse([at[0], at[1] + size], [size * 0.8, size], fill)}${box([at[0] - size * 0.4, at[1] - size * 0.15], [size * 0.8, size * 0.25], dark)}`;
    });
    return `${shape(`M0 ${y}Q${w / 2} ${y + sag * 2} ${w} ${y}`, { stroke: dark, width: 0.6 })}${lanterns}`;
  };
  const stall = (side: number) => {
    const edge = side < 0 ? 0 : w;
    const inwards = (share: number) => edge - side * share;
    const roof = h * 0.56;
    return [
      polygon(
        [
          [edge, roof - 4],
          [inwards(36), roof + 8],
          [inwards(36), h],
          [edge, h],
        ],
        tint(ink.light, ink.accent, 0.5),
      ),
      repeat(5, (stripe) =>
        polygon(
          [
            [inwards(stripe * 8), roof - 8 + stripe * 2.6],
            [inwards(stripe * 8 + 8), roof - 5.4 + stripe * 2.6],
            [inwards(stripe * 8 + 8), roof + 5 + stripe * 2],
            [inwards(stripe * 8), roof + 3 + stripe * 2],
          ],
          stripe % 2 === 0 ? '#d8432f' : '#fbf3e2',
        ),
      ),
      polygon(
        [
          [edge, h * 0.8],
          [inwards(34), h * 0.78],
          [inwards(34), h],
          [edge, h],
        ],
        dark,
      ),
    ].join('');
  };
  return [
    backdrop(sheet, [night, tint(night, ink.horizon, 0.35)]),
    glow([w / 2, h * 0.66], 48, ink.accent),
    stall(-1),
    stall(1),
    repeat(7, (index) => {
      const x = w * (0.2 + index * 0.1) + chance.between(-2, 2);
      const y = h * 0.75 + chance.between(-5, 4);
      return `${circle([x, y], 4.6, dark)}${ellipse([x, y + 15], [8.5, 11], dark)}`;
    }),
    string(h * 0.08, 10, 5.4),
    string(h * 0.26, 8, 4),
  ].join('');
}

/** A house with a curved roof over water. */
export function drawTeaHouse(sheet: Sheet): string {
  const { w, h, chance, ink, isDark } = sheet;
  const wood = tint(ink.near, '#4a2a1c', 0.4);
  const paper = isDark ? tint(ink.accent, '#fff3cf', 0.4) : tint(ink.light, '#fff8e6', 0.5);
  const roof = (y: number, half: number) =>
    shape(
      `M${-half} ${y}C${-half * 0.6} ${y - 3} ${-half * 0.4} ${y - 8} ${-half * 0.26} ${y - 14}L${half * 0.26} ${y - 14}C${half * 0.4} ${y - 8} ${half * 0.6} ${y - 3} ${half} ${y}L${half * 0.8} ${y + 3}L${-half * 0.8} ${y + 3}Z`,
      tint(ink.near, ink.zenith, 0.25),
    );
  const panes = (top: number, half: number) =>
    repeat(4, (index) => {
      const width = half / 2 - 1.4;
      const x = -half + index * (half / 2) + 0.7;
      return `${box([x, top], [width, 17], paper)}${shape(`M${x + width / 2} ${top}v17M${x} ${top + 6}h${width}M${x} ${top + 12}h${width}`, { stroke: wood, width: 0.5 })}`;
    });
  const house = [
    box([-36, -2], [72, 3], wood),
    ...[-32, -11, 11, 32].map((x) => box([x - 1, 0], [2, 18], wood)),
    box([-28, -22], [56, 22], wood),
    panes(-20, 27),
    roof(-22, 46),
    box([-16, -50], [32, 16], wood),
    panes(-50, 15),
    roof(-50, 30),
    shape('M0-64v-8', { stroke: wood, width: 1.4 }),
  ].join('');
  const water = h * 0.74;
  return [
    sky(sheet),
    orb(sheet, [w * chance.pick([0.22, 0.78]), h * 0.2], 10),
    lands(sheet, { from: water - 22, to: water - 6, count: 2 }),
    box([0, water], [w, h], tint(ink.sky, ink.near, 0.45)),
    placed(`<g opacity=".28">${house}</g>`, {
      at: [w / 2, water + 20],
      scale: 0.92,
      flip: -1,
      turn: 180,
    }),
    placed(house, { at: [w / 2, water - 8], scale: 0.96 }),
    repeat(9, (index) =>
      shape(
        `M${(chance.next() * w).toFixed(1)} ${(water + 5 + index * 3).toFixed(1)}h${chance.between(8, 22).toFixed(1)}`,
        {
          stroke: ink.light,
          width: 0.5,
          opacity: 0.5,
        },
      ),
    ),
    drift(sheet),
  ].join('');
}

/** Houses that climb a hill above a harbour. */
export function drawHarbour(sheet: Sheet): string {
  const { w, h, chance, ink, isDark } = sheet;
  const water = h * 0.78;
  const walls = [
    '#fbf3e2',
    '#f3d9b8',
    tint(ink.horizon, '#ffffff', 0.4),
    tint(ink.accent, '#ffffff', 0.45),
  ];
  const lit = isDark ? ink.accent : tint(ink.near, ink.sky, 0.3);
  const house = (at: Point, size: number): string => {
    const wall = tint(chance.pick(['', ...walls]) || '#fbf3e2', ink.near, isDark ? 0.45 : 0.05);
    const roof = chance.pick(['#c0533a', '#a8432f', tint(ink.near, '#8a4a3a', 0.5)]);
    return placed(
      `${box([-6, -10], [12, 12], wall)}${polygon(
        '-7.4,-9.6 0,-16 7.4,-9.6',
        roof,
      )}${box([-4, -7], [2.6, 3.4], lit)}${box([1.4, -7], [2.6, 3.4], lit)}`,
      { at, scale: size },
    );
  };
  const rows = 6;
  const side = chance.pick([-1, 1]);
  const boat = (x: number) =>
    placed(
      `${polygon('-9,0 9,0 6,4.5 -6,4.5', ink.near)}${polygon('-0.6,-1 -0.6,-17 8,-1', '#fffaf0')}`,
      { at: [x, water + 7], scale: 1.1 },
    );
  return [
    sky(sheet),
    orb(sheet, [w / 2 - side * w * 0.28, h * 0.22], 8),
    polygon(
      [
        [w / 2 - side * 12, water],
        [w / 2 + side * 30, h * 0.22],
        [w / 2 + side * 90, h * 0.16],
        [w / 2 + side * 90, water],
      ],
      tint(ink.far, ink.near, 0.35),
    ),
    repeat(rows, (row) => {
      const y = lerp(h * 0.36, water, row / (rows - 1));
      const start = lerp(22, -34, row / (rows - 1));
      return repeat(7, (index) =>
        house(
          [
            w / 2 + side * (start + index * 12.4 + chance.between(-1.5, 1.5)),
            y + chance.between(-2, 2),
          ],
          chance.between(0.9, 1.15),
        ),
      );
    }),
    box([0, water], [w, h - water], tint(ink.sky, ink.near, 0.35)),
    repeat(12, () =>
      shape(
        `M${(chance.next() * w).toFixed(1)} ${chance.between(water + 3, h).toFixed(1)}h${chance.between(5, 16).toFixed(1)}`,
        { stroke: ink.light, width: 0.6, opacity: 0.55 },
      ),
    ),
    boat(w / 2 - side * 26),
    drift(sheet),
  ].join('');
}

/** A wave that breaks, as in a print. */
export function drawWave(sheet: Sheet): string {
  const { w, h, chance, ink } = sheet;
  const deep = tint(ink.zenith, ink.near, 0.35);
  const foam = tint(ink.light, '#ffffff', 0.5);
  const wave = (fill: string) =>
    `${shape('M-75 60C-72 10-52-34-12-40C12-43 30-30 33-14C24-24 12-25 6-20C16-19 22-12 21-3C14-12 4-13-2-8C6-5 10 2 8 10C0 0-12 0-16 12C-22 30-2 46 30 48L80 50L80 90L-75 90Z', fill)}${repeat(
      4,
      (index) =>
        shape(
          curve(
            [
              [-66 + index * 8, 60],
              [-52 + index * 9, 8 + index * 6],
              [-22 + index * 5, -27 + index * 9],
            ],
            false,
          ),
          { stroke: foam, width: 1, opacity: 0.65 },
        ),
    )}${repeat(11, (index) => circle([-14 + index * 4.6, -39 + Math.abs(index - 3) * 2.2 + (index % 2) * 2], 2.7 - index * 0.1, foam))}${repeat(12, (index) => circle([10 + (index % 4) * 8, -34 + index * 3.4], 0.9, foam))}`;
  const bands = 7;
  return [
    ...Array.from({ length: bands }, (_, index) =>
      box([0, (h * 0.7 * index) / bands], [w, h], tint(ink.horizon, ink.light, index / bands)),
    ),
    circle([w * 0.72, h * 0.22], 13, tint(ink.accent, '#d8432f', 0.3)),
    polygon(
      [
        [w * 0.5, h * 0.66],
        [w * 0.66, h * 0.47],
        [w * 0.83, h * 0.66],
      ],
      tint(ink.far, ink.zenith, 0.4),
    ),
    polygon(
      [
        [w * 0.615, h * 0.525],
        [w * 0.66, h * 0.47],
        [w * 0.705, h * 0.525],
        [w * 0.66, h * 0.51],
      ],
      foam,
    ),
    placed(wave(deep), { at: [w * 0.44, h * 0.5], scale: 1.05, flip: chance.pick([-1, 1]) }),
    repeat(3, (row) => {
      const at = ripple(sheet, { length: 34, height: 1.6 });
      const y = h * (0.8 + row * 0.08);
      const tops = Array.from({ length: 15 }, (_, index): Point => [
        (index / 14) * (w + 20) - 10,
        y + at(index * 9),
      ]);
      return shape(`${curve(tops, false)}L${w + 10} ${h + 9}L-10 ${h + 9}Z`, {
        fill: tint(deep, ink.sky, 0.3 - row * 0.14),
        stroke: foam,
        width: 0.9,
      });
    }),
  ].join('');
}
