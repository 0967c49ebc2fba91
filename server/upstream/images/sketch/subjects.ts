/** What the prompt names: a castle, birds and a boat far away; a person, a cat and a tree in front; petals and flakes in the air. */
import {
  forEachPixelAround,
  type Canvas,
  clamp,
  type Colour,
  curveThrough,
  fillEllipse,
  fillLimb,
  fillLine,
  fillPolygon,
  mix,
  parsePoints,
  placeAt,
  type Placement,
  type Point,
} from './drawing.ts';
import { type PaletteName, type Scene } from './scene.ts';

const castleWords = /\b(?:castles?|palace|fortress|kingdom|dragons?|cathedral)\b/i;
const boatWords = /\b(?:boats?|ships?|sail\w*|yacht|pirates?|harbou?r)\b/i;
const birdsWords = /\b(?:birds?|seagulls?|ravens?|crows?|cranes?|freedom|sky)\b/i;

/** Must be painted before nearer land, which covers it, and before water, which reflects it. */
export function paintFarSubjects(scene: Scene): void {
  const { prompt, chance, isDark, place } = scene;
  if (place === 'space') {
    return;
  }
  if (castleWords.test(prompt)) {
    paintCastle(scene);
  }
  if (birdsWords.test(prompt) || (!isDark && chance.isLikely(0.4))) {
    paintBirds(scene);
  }
  if (place === 'water' && (boatWords.test(prompt) || chance.isLikely(0.3))) {
    paintBoat(scene);
  }
}

function paintCastle({ canvas, chance, horizon, palette, size }: Scene): void {
  const wall = mix(palette.far, palette.near, 0.3);
  const centre = canvas.width * chance.between(0.3, 0.7);
  const foot = horizon + size * 0.12;
  const towers = [-0.13, -0.075, -0.02, 0.04, 0.095, 0.15];
  for (const offset of towers) {
    const half = size * chance.between(0.014, 0.026);
    const x = centre + offset * size;
    const top = horizon - size * (chance.between(0.1, 0.2) - Math.abs(offset) * 0.5);
    fillRectangle(canvas, { left: x - half, right: x + half, top, foot }, wall);
    const eaves = half * 1.3;
    fillPolygon(
      canvas,
      [
        [x - eaves, top],
        [x, top - half * chance.between(2.6, 4.4)],
        [x + eaves, top],
      ],
      wall,
    );
    fillEllipse(
      canvas,
      { at: [x, top + half * 1.6], radii: [half * 0.22, half * 0.4] },
      palette.accent,
    );
  }
  const low = horizon - size * 0.03;
  const [left, right] = [centre - size * 0.15, centre + size * 0.17];
  fillRectangle(canvas, { left, right, top: low, foot }, wall);
}

type Rectangle = Readonly<Record<'left' | 'right' | 'top' | 'foot', number>>;

function fillRectangle(canvas: Canvas, { left, right, top, foot }: Rectangle, colour: Colour) {
  const corners = [left, right].flatMap((x, side): Point[] =>
    side === 0
      ? [
          [x, foot],
          [x, top],
        ]
      : [
          [x, top],
          [x, foot],
        ],
  );
  fillPolygon(canvas, corners, colour);
}

function paintBoat({ canvas, chance, horizon, light, palette, size }: Scene): void {
  const hull = mix(palette.near, [0, 0, 0], 0.2);
  const x = light.x + size * chance.between(-0.3, 0.3);
  const at = placeAt({ x, y: horizon, height: size * chance.between(0.1, 0.15) });
  const keel = parsePoints('-0.42,-0.14 0.46,-0.17 0.34,0 -0.3,0');
  const main = parsePoints('0.03,-1 0.05,-0.22 0.4,-0.24');
  const jib = parsePoints('0,-0.9 -0.01,-0.22 -0.34,-0.21');
  fillPolygon(canvas, keel.map(at), hull);
  fillPolygon(canvas, main.map(at), mix(palette.light, palette.horizon, 0.3));
  fillPolygon(canvas, jib.map(at), mix(palette.light, palette.far, 0.35));
}

function paintBirds({ canvas, chance, horizon, palette, size }: Scene): void {
  const ink = mix(palette.far, palette.near, 0.75);
  const centre: Point = [
    canvas.width * chance.between(0.25, 0.75),
    horizon * chance.between(0.2, 0.55),
  ];
  const count = Math.round(chance.between(4, 9));
  for (let bird = 0; bird < count; bird += 1) {
    const span = size * chance.between(0.011, 0.024);
    const x = centre[0] + size * chance.between(-0.2, 0.2);
    const y = centre[1] + size * chance.between(-0.1, 0.1);
    const lift = chance.between(0.25, 0.6);
    for (const side of [-1, 1]) {
      const wing: Point[] = [
        [x, y],
        [x + side * span * 0.5, y - span * lift],
        [x + side * span, y - span * lift * 0.55],
      ];
      fillLine(canvas, wing, { colour: ink, thick: Math.max(0.6, size * 0.0011) });
    }
  }
}

const personWords =
  /\b(?:\d?girls?|\d?boys?|wom[ae]n|m[ae]n|person|people|lady|knight|witch|wizard|princess|prince|warrior|child|elf|samurai|maid|idol|portrait|hair|kimono|astronaut|character)\b/i;
const catWords = /\b(?:cats?|kittens?|kitty|catgirl|neko|fox(?:es)?)\b/i;
const treeWords = /\b(?:trees?|sakura|cherry|blossoms?|forest|garden|autumn|maple|park|lonely)\b/i;

/** Not in every picture. Stands on a mound, so that it is on firm ground also above water. */
export function paintNearSubjects(scene: Scene): void {
  const { canvas, chance, light, palette, place, prompt, size } = scene;
  const isPerson = personWords.test(prompt);
  const isCat = catWords.test(prompt) && place !== 'space';
  const hasTree = wantsTree(scene);
  if (!(isPerson || isCat || hasTree)) {
    return;
  }

  const ink = mix(palette.near, [0, 0, 0], 0.35);
  const x = light.x + size * chance.between(-0.16, 0.16);
  const y = canvas.height - size * chance.between(0.1, 0.15);
  paintMound(scene, { x, top: y }, ink);
  if (hasTree) {
    plantTree(scene, { x: canvas.width * (x < canvas.width / 2 ? 0.86 : 0.14), ink });
  }
  if (isPerson) {
    paintPerson(scene, { x, y: y + size * 0.008, height: size * 0.27 }, ink);
  }
  if (isCat) {
    const [aside, height] = isPerson ? [size * 0.13, size * 0.1] : [0, size * 0.17];
    paintCat(scene, { x: x + aside, y: y + size * 0.012, height }, ink);
  }
}

function wantsTree({ chance, place, prompt }: Scene): boolean {
  const isBuilt = place === 'city' || place === 'space';
  return place !== 'space' && (treeWords.test(prompt) || (!isBuilt && chance.isLikely(0.3)));
}

function paintMound({ canvas, size }: Scene, { x, top }: { x: number; top: number }, ink: Colour) {
  const { width, height } = canvas;
  const slope = Array.from({ length: 65 }, (_, index): Point => {
    const column = (index / 64) * width;
    const aside = (column - x) / (size * 0.62);
    return [column, height + size * 0.03 - (height + size * 0.03 - top) * Math.exp(-aside * aside)];
  });
  fillPolygon(canvas, [...slope, [width, height + 9], [0, height + 9]], ink);
}

const dressWords =
  /\b(?:\d?girls?|wom[ae]n|lady|witch|princess|maid|idol|kimono|dress|elf|hair|skirt)\b/i;

/** Seen from behind; hair or a scarf blows in the wind. */
function paintPerson({ canvas, chance, prompt }: Scene, placement: Placement, ink: Colour): void {
  const at = placeAt(placement);
  const { height } = placement;
  const wind = chance.pick([-1, 1]);
  const hem = dressWords.test(prompt) ? 0.2 : 0.13;
  const coat: readonly Point[] = [
    ...parsePoints('0.02,-0.85 0.095,-0.8 0.115,-0.62 0.105,-0.5'),
    [hem, -0.25],
    [wind * 0.03, -0.225],
    [-hem, -0.25],
    ...parsePoints('-0.105,-0.5 -0.115,-0.62 -0.095,-0.8 -0.02,-0.85'),
  ];
  fillPolygon(canvas, curveThrough(coat.map(at)), ink);
  fillEllipse(canvas, { at: at([0, -0.92]), radii: [height * 0.06, height * 0.072] }, ink);
  const loose: readonly Point[] = dressWords.test(prompt)
    ? [
        ...parsePoints('0.064,-0.95 0.074,-0.82'),
        [0.06 + wind * 0.06, -0.68],
        [wind * 0.2, -0.58],
        [-0.06 + wind * 0.05, -0.66],
        ...parsePoints('-0.074,-0.82 -0.064,-0.95 0,-0.995'),
      ]
    : [
        ...parsePoints('-0.06,-0.85 0.06,-0.85'),
        [wind * 0.2, -0.83],
        [wind * 0.3, -0.76],
        [wind * 0.18, -0.78],
        [0, -0.8],
      ];
  fillPolygon(canvas, curveThrough(loose.map(at)), ink);
  for (const side of [-1, 1]) {
    const leg: Point[] = [
      [side * 0.045, -0.3],
      [side * 0.045, 0],
    ];
    fillLine(canvas, leg.map(at), { colour: ink, thick: height * 0.03 });
  }
}

function paintCat({ canvas, chance }: Scene, placement: Placement, ink: Colour): void {
  const at = placeAt(placement);
  const { height } = placement;
  const side = chance.pick([-1, 1]);
  const body = parsePoints(
    '0,-0.72 0.13,-0.6 0.23,-0.36 0.28,-0.12 0.2,0.01 -0.2,0.01 -0.28,-0.12 -0.23,-0.36 -0.13,-0.6',
  );
  fillPolygon(canvas, curveThrough(body.map(at)), ink);
  fillEllipse(canvas, { at: at([0, -0.76]), radii: [height * 0.17, height * 0.145] }, ink);
  for (const ear of [-1, 1]) {
    const corners = parsePoints('0.165,-0.78 0.15,-1 0.03,-0.88');
    fillPolygon(
      canvas,
      corners.map(([x, y]) => at([ear * x, y])),
      ink,
    );
  }
  const tail = parsePoints('0.2,-0.05 0.38,-0.03 0.5,-0.1 0.53,-0.24 0.46,-0.36');
  fillLine(
    canvas,
    tail.map(([x, y]) => at([side * x, y])),
    { colour: ink, thick: height * 0.045 },
  );
}

type Branch = {
  readonly from: Point;
  /** Radians; upwards is -π/2. */
  readonly angle: number;
  readonly length: number;
  readonly thick: number;
  readonly forks: number;
};

/** Palettes whose leaves have the accent colour; those of the others have the colour of the land. */
const brightLeaves = new Set<PaletteName>(['blossom', 'autumn', 'dawn', 'neon', 'ember']);
const bareTrees = new Set<PaletteName>(['snow', 'dune']);

/** A tree that frames the picture. */
function plantTree(scene: Scene, { x, ink }: { readonly x: number; readonly ink: Colour }): void {
  const { canvas, chance, size } = scene;
  const tips: Point[] = [];
  growBranch(scene, {
    trunk: {
      from: [x, canvas.height + size * 0.02],
      angle: -Math.PI / 2 + chance.between(-0.12, 0.12),
      length: size * chance.between(0.3, 0.38),
      thick: size * 0.021,
      forks: 4,
    },
    ink,
    tips,
  });
  if (!bareTrees.has(scene.palette.name)) {
    paintLeaves(scene, tips, ink);
  }
}

type Growth = { readonly trunk: Branch; readonly ink: Colour; readonly tips: Point[] };

function growBranch(scene: Scene, { trunk, ink, tips }: Growth): void {
  const { chance, canvas } = scene;
  const { from, angle, length, thick, forks } = trunk;
  const to: Point = [from[0] + Math.cos(angle) * length, from[1] + Math.sin(angle) * length];
  fillLimb(canvas, { from, to, thick: [thick, thick * 0.62] }, ink);
  if (forks < 3) {
    tips.push(to);
  }
  if (forks === 0) {
    return;
  }
  for (const turn of [-1, 1, chance.between(-0.4, 0.4)]) {
    const branch = {
      from: to,
      angle: angle + turn * chance.between(0.35, 0.75),
      length: length * chance.between(0.52, 0.7),
      thick: thick * 0.6,
      forks: forks - 1,
    };
    growBranch(scene, { trunk: branch, ink, tips });
  }
}

/** Clusters of leaves, the dark ones first. */
function paintLeaves(
  { canvas, chance, palette, size }: Scene,
  tips: readonly Point[],
  ink: Colour,
) {
  const shade = brightLeaves.has(palette.name)
    ? mix(palette.accent, palette.near, 0.45)
    : mix(ink, palette.far, 0.22);
  const shine = brightLeaves.has(palette.name)
    ? mix(palette.accent, palette.light, 0.25)
    : mix(ink, palette.far, 0.5);
  for (const layer of [0, 0.25, 0.5, 0.8, 1]) {
    const colour = mix(shade, shine, layer);
    for (const [x, y] of tips) {
      const leaf = {
        x: x + size * chance.between(-0.035, 0.035),
        y: y + size * (chance.between(-0.028, 0.028) - layer * 0.014),
        reach: size * chance.between(0.006, 0.019) * (1.1 - layer * 0.45),
      };
      forEachPixelAround(canvas, leaf, (pixel, dx, dy) => {
        canvas.lay(pixel, colour, 0.9 * clamp((leaf.reach - Math.hypot(dx, dy)) * 0.9));
      });
    }
  }
}

/** The number of petals, flakes or sparks, and their width as a share of their length. */
const driftKinds: Partial<
  Record<PaletteName, { readonly count: number; readonly slimness: number }>
> = {
  blossom: { count: 130, slimness: 0.5 },
  snow: { count: 220, slimness: 1 },
  ember: { count: 70, slimness: 1 },
  forest: { count: 55, slimness: 1 },
  autumn: { count: 60, slimness: 0.45 },
  lagoon: { count: 26, slimness: 1 },
};

/** Petals, flakes, sparks, fireflies or leaves in the air, some out of focus. */
export function paintDrift({ canvas, chance, palette, size }: Scene): void {
  const kind = driftKinds[palette.name];
  for (let index = 0; index < (kind?.count ?? 0); index += 1) {
    const isNear = chance.isLikely(0.12);
    const radius = size * (isNear ? chance.between(0.012, 0.03) : chance.between(0.003, 0.008));
    const angle = chance.next() * Math.PI;
    const colour = mix(
      palette.accent,
      palette.light,
      palette.name === 'snow' ? 1 : chance.next() * 0.45,
    );
    const place = { x: chance.next() * canvas.width, y: chance.next() * canvas.height };
    forEachPixelAround(canvas, { ...place, reach: radius * 1.6 }, (pixel, dx, dy) => {
      const along = (dx * Math.cos(angle) + dy * Math.sin(angle)) / radius;
      const across =
        (dy * Math.cos(angle) - dx * Math.sin(angle)) / (radius * (kind?.slimness ?? 1));
      const square = along * along + across * across;
      const cover = isNear ? 0.26 * clamp(1.2 - square) : 0.8 * clamp((1 - square) * 3);
      canvas.lay(pixel, colour, cover);
    });
  }
}
