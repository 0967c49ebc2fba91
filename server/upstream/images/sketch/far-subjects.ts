/** What stands far away when the prompt names it, or at times by chance: a castle, birds, a boat. */
import { mixed } from './colour.ts';
import { type Scene } from './scene.ts';
import { fillEllipse, fillLine, fillPolygon, placing, type Point } from './shapes.ts';

const castleWords = /\b(?:castles?|palace|fortress|kingdom|dragons?|cathedral)\b/i;
const boatWords = /\b(?:boats?|ships?|sail\w*|yacht|pirates?|harbou?r)\b/i;
const birdsWords = /\b(?:birds?|seagulls?|ravens?|crows?|cranes?|freedom|sky)\b/i;

/** Painted before the land that is nearer, and before the water, which mirrors it. */
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

/** Towers with pointed roofs, high in the haze. */
function paintCastle({ canvas, chance, horizon, palette, size }: Scene): void {
  const wall = mixed(palette.far, palette.near, 0.3);
  const centre = canvas.width * chance.between(0.3, 0.7);
  const foot = horizon + size * 0.12;
  const towers = [-0.13, -0.075, -0.02, 0.04, 0.095, 0.15];
  for (const offset of towers) {
    const half = size * chance.between(0.014, 0.026);
    const x = centre + offset * size;
    const top = horizon - size * (chance.between(0.1, 0.2) - Math.abs(offset) * 0.5);
    fillPolygon(
      canvas,
      [
        [x - half, foot],
        [x - half, top],
        [x + half, top],
        [x + half, foot],
      ],
      wall,
    );
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
  fillPolygon(
    canvas,
    [
      [left, foot],
      [left, low],
      [right, low],
      [right, foot],
    ],
    wall,
  );
}

function paintBoat({ canvas, chance, horizon, light, palette, size }: Scene): void {
  const hull = mixed(palette.near, [0, 0, 0], 0.2);
  const x = light.x + size * chance.between(-0.3, 0.3);
  const at = placing({ x, y: horizon, height: size * chance.between(0.1, 0.15) });
  const keel: Point[] = [
    [-0.42, -0.14],
    [0.46, -0.17],
    [0.34, 0],
    [-0.3, 0],
  ];
  const main: Point[] = [
    [0.03, -1],
    [0.05, -0.22],
    [0.4, -0.24],
  ];
  const jib: Point[] = [
    [0, -0.9],
    [-0.01, -0.22],
    [-0.34, -0.21],
  ];
  fillPolygon(canvas, keel.map(at), hull);
  fillPolygon(canvas, main.map(at), mixed(palette.light, palette.horizon, 0.3));
  fillPolygon(canvas, jib.map(at), mixed(palette.light, palette.far, 0.35));
}

function paintBirds({ canvas, chance, horizon, palette, size }: Scene): void {
  const ink = mixed(palette.far, palette.near, 0.75);
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
