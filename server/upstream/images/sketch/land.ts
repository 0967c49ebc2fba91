/** Land in layers, from the haze of the distance to the dark of the foreground. */
import { between, clamp, type Colour, mixed } from './colour.ts';
import { type Scene } from './scene.ts';

/** One silhouette. `nearness` goes from just above 0 (far) to 1. */
type Layer = {
  readonly nearness: number;
  /** The row where the land begins, for each column. */
  readonly tops: Float32Array;
  /** The row below which nothing is painted. */
  readonly bottom: number;
};

/** The nearness from which trees can be told apart. */
const treesFrom = 0.5;

const treePalettes = new Set(['forest', 'snow', 'night', 'autumn', 'dusk']);

export function paintRidges(scene: Scene): void {
  const { canvas, horizon, place, size } = scene;
  const isShore = place === 'water';
  const count = isShore ? 3 : 5;
  const bottom = isShore ? horizon : canvas.height;
  for (let index = 1; index <= count; index += 1) {
    const nearness = index / count;
    const top = isShore
      ? between(horizon - size * 0.2, horizon - size * 0.03, nearness)
      : between(horizon - size * 0.2, canvas.height - size * 0.13, nearness);
    const tops = ridgeTops(scene, { nearness, top, index });
    if (nearness > treesFrom && !isShore && treePalettes.has(scene.palette.name)) {
      plantTrees(scene, tops, nearness);
    }
    paintLayer(scene, { nearness, tops, bottom });
  }
}

/** Rounded, overlapping hills, smoother than mountains. */
export function paintDunes(scene: Scene): void {
  const { canvas, chance, horizon, noise, size } = scene;
  const count = 5;
  for (let index = 1; index <= count; index += 1) {
    const nearness = index / count;
    const top = between(horizon - size * 0.04, canvas.height - size * 0.1, nearness);
    const swing = size * between(0.05, 0.16, nearness);
    const stretch = between(2.4, 0.9, nearness) / size;
    const shift = chance.next() * 100;
    const tops = Float32Array.from(
      { length: canvas.width },
      (_, x) => top + swing * (0.5 - noise.fractal(x * stretch + shift, index * 7.7, 2)) * 2,
    );
    paintLayer(scene, { nearness, tops, bottom: canvas.height });
  }
}

type Ridge = { readonly nearness: number; readonly top: number; readonly index: number };

function ridgeTops({ canvas, chance, noise, size }: Scene, { nearness, top, index }: Ridge) {
  const swing = size * between(0.17, 0.11, nearness);
  const stretch = between(1.5, 3.2, nearness) / size;
  const shift = chance.next() * 100;
  return Float32Array.from({ length: canvas.width }, (_, x) => {
    const rolling = noise.fractal(x * stretch + shift, index * 9.7, 6);
    // Folding the noise gives sharp crests, which soften with nearness.
    const crest =
      1 - Math.abs(2 * noise.fractal(x * stretch * 0.8 + shift, index * 3.3 + 50, 5) - 1);
    return top + swing * (1 - 1.25 * rolling - 0.55 * crest * (1 - nearness * 0.6));
  });
}

/** Raises the silhouette to a row of firs. */
function plantTrees({ chance, noise, size }: Scene, tops: Float32Array, nearness: number): void {
  let x = 0;
  while (x < tops.length) {
    const half = size * between(0.004, 0.011, nearness) * chance.between(0.7, 1.3);
    const height = half * chance.between(3.2, 6) * (0.3 + noise.at(x / (size * 0.12), 3));
    plantFir(tops, { x: x + half, half, height });
    x += half * chance.between(0.8, 2.4) + (chance.isLikely(0.06) ? size * 0.05 : 0);
  }
}

/** Branches in tiers, each wider than the one above. */
function plantFir(
  tops: Float32Array,
  { x, half, height }: { readonly x: number; readonly half: number; readonly height: number },
): void {
  const foot = tops[Math.min(tops.length - 1, Math.round(x))] ?? 0;
  for (let column = Math.max(0, Math.ceil(x - half)); column < x + half; column += 1) {
    const aside = Math.abs(column + 0.5 - x) / half;
    const tier = 0.14 * Math.abs(((aside * 4) % 2) - 1);
    const reach = foot - height * clamp(1 - aside * 0.9 - tier * aside);
    if (column < tops.length && reach < (tops[column] ?? 0)) {
      tops[column] = reach;
    }
  }
}

function paintLayer(scene: Scene, { nearness, tops, bottom }: Layer): void {
  const { canvas, noise, palette, size } = scene;
  const solid = mixed(palette.far, palette.near, nearness ** 1.2);
  const haze = mixed(palette.horizon, palette.far, nearness);
  const depth = size * between(0.34, 0.22, nearness);
  const mostHaze = between(0.72, 0.1, nearness);
  // Where trees stand, the white would follow each of their tips.
  const hasSnow = palette.name === 'snow' && scene.place === 'ridges' && nearness <= treesFrom;

  for (let y = Math.max(0, Math.floor(tops.reduce(lower))); y < bottom; y += 1) {
    for (let x = 0; x < canvas.width; x += 1) {
      const below = y - (tops[x] ?? 0);
      if (below > -0.5) {
        const ground = mixed(solid, haze, clamp(below / depth) * mostHaze);
        const isWhite =
          hasSnow &&
          below < size * 0.08 * (1.3 - nearness) * noise.at((x / size) * 9, nearness * 40);
        canvas.lay(
          y * canvas.width + x,
          isWhite ? snowOn(ground, palette.light) : ground,
          clamp(below + 0.5),
        );
      }
    }
  }
}

function lower(one: number, other: number): number {
  return Math.min(one, other);
}

function snowOn(ground: Colour, light: Colour): Colour {
  return mixed(ground, light, 0.72);
}
