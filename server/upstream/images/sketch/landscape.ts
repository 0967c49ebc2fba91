/** The background: the sky, outer space, mountain ridges, dunes, a city, and water. */
import { clamp, type Colour, forEachPixelAround, lerp, mix, smooth } from './drawing.ts';
import { createField } from './random.ts';
import { type Scene } from './scene.ts';

export function paintSky(scene: Scene): void {
  const { canvas, light, palette, size } = scene;
  const { width, height } = canvas;
  const clouds = createClouds(scene);
  const cloudColour = mix(palette.horizon, palette.light, 0.45);
  const disc = createDisc(scene);

  for (let y = 0; y < height; y += 1) {
    const depth = clamp(y / scene.horizon);
    const row = skyColour(scene, depth);
    const cover = 0.12 + 0.5 * depth;
    for (let x = 0; x < width; x += 1) {
      const pixel = y * width + x;
      const distance = Math.hypot(x - light.x, y - light.y);
      canvas.lay(pixel, row, 1);
      canvas.lay(pixel, cloudColour, clouds(x, y) * cover);
      canvas.lay(pixel, palette.light, 0.6 * Math.exp(-distance / (light.radius * 3)));
      if (distance < light.radius + 1) {
        canvas.lay(pixel, disc(x, y), clamp((light.radius - distance) / 1.5 + 0.5));
      }
    }
  }
  if (scene.isDark) {
    paintStars(scene, Math.round((width * height) / (size * 2.6)));
  }
}

function skyColour({ palette }: Scene, depth: number): Colour {
  return depth < 0.55
    ? mix(palette.zenith, palette.sky, smooth(depth / 0.55))
    : mix(palette.sky, palette.horizon, smooth((depth - 0.55) / 0.45));
}

/** How cloudy a place is, from 0 to 1: long, bent streaks. */
function createClouds({ canvas: { width, height }, noise, size }: Scene) {
  return createField({ width, height, step: 4 }, (x, y) => {
    const u = x / size;
    const v = y / size;
    const bend = noise.at(u * 1.3 + 3, v * 2.6) * 1.1;
    return clamp((noise.fractal(u * 2.1 + bend, v * 5.2 + bend * 0.6, 5) - 0.5) * 3.2);
  });
}

/** The colours of the sun, or of a moon with spots. */
function createDisc({ isDark, light, noise, palette }: Scene): (x: number, y: number) => Colour {
  if (!isDark) {
    return () => palette.light;
  }
  const shade = mix(palette.light, palette.sky, 0.22);
  return (x, y) => {
    const spots = noise.fractal((x - light.x) / light.radius + 40, (y - light.y) / light.radius, 3);
    return mix(palette.light, shade, clamp((spots - 0.42) * 4));
  };
}

function paintStars({ canvas, chance, horizon, light }: Scene, count: number): void {
  const white: Colour = [255, 255, 255];
  for (let star = 0; star < count; star += 1) {
    const x = chance.next() * canvas.width;
    const y = chance.next() ** 1.4 * horizon;
    const glow = 0.08 + 0.92 * chance.next() ** 4;
    const reach = chance.isLikely(0.05) ? 1.7 : 0.85;
    const isBehindMoon = Math.hypot(x - light.x, y - light.y) < light.radius * 1.3;
    if (!isBehindMoon) {
      forEachPixelAround(canvas, { x, y, reach: 3 }, (pixel, dx, dy) => {
        canvas.lay(pixel, white, glow * Math.exp(-(dx * dx + dy * dy) / (reach * reach)));
      });
    }
  }
}

export function paintSpace(scene: Scene): void {
  paintNebula(scene);
  const { canvas, chance, size } = scene;
  const planet = {
    x: canvas.width * chance.between(0.3, 0.7),
    y: canvas.height * chance.between(0.4, 0.66),
    radius: size * chance.between(0.17, 0.27),
    tilt: chance.between(-0.5, 0.5),
  };
  const hasRing = chance.isLikely(0.6);
  if (hasRing) {
    paintRing(scene, planet, 'behind');
  }
  paintPlanet(scene, planet);
  if (hasRing) {
    paintRing(scene, planet, 'before');
  }
}

type Planet = {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Radians. */
  readonly tilt: number;
};

function paintNebula({ canvas, noise, palette, size }: Scene): void {
  const { width, height } = canvas;
  const gas = createField({ width, height, step: 4 }, (x, y) => {
    const bend = noise.fractal((x / size) * 1.4 + 9, (y / size) * 1.4, 3) * 2.2;
    return clamp((noise.fractal((x / size) * 1.7 + bend, (y / size) * 1.7 - bend, 5) - 0.42) * 2.6);
  });
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const strength = gas(x, y);
      const hue = mix(palette.horizon, palette.accent, gas(width - x, y));
      canvas.lay(y * width + x, hue, strength * strength * 0.55);
    }
  }
}

function paintPlanet({ canvas, light, noise, palette }: Scene, planet: Planet): void {
  const { x, y, radius, tilt } = planet;
  const towards = Math.atan2(light.y - y, light.x - x);
  const lit = mix(palette.horizon, palette.light, 0.35);
  forEachPixelAround(canvas, { x, y, reach: radius + 1 }, (pixel, dx, dy) => {
    const distance = Math.hypot(dx, dy);
    const cover = clamp(radius - distance + 0.5);
    if (cover > 0) {
      const band = (dy * Math.cos(tilt) - dx * Math.sin(tilt)) / radius;
      const cloud = noise.fractal(band * 5 + 20, (dx / radius) * 0.8 + band, 4);
      const face = mix(lit, palette.far, clamp((cloud - 0.3) * 2.2));
      const bulge = Math.sqrt(Math.max(0, 1 - (distance / radius) ** 2));
      const facing =
        (dx * Math.cos(towards) + dy * Math.sin(towards)) / radius / 1.25 + bulge * 0.55;
      canvas.lay(pixel, mix(palette.near, face, clamp(facing + 0.22)), cover);
    }
  });
}

function paintRing({ canvas, noise, palette }: Scene, planet: Planet, side: 'behind' | 'before') {
  const { x, y, radius, tilt } = planet;
  const flatness = 0.26;
  const colour = mix(palette.light, palette.accent, 0.4);
  forEachPixelAround(canvas, { x, y, reach: radius * 2.2 }, (pixel, dx, dy) => {
    const along = dx * Math.cos(tilt) + dy * Math.sin(tilt);
    const across = (dy * Math.cos(tilt) - dx * Math.sin(tilt)) / flatness;
    const distance = Math.hypot(along, across) / radius;
    const isSide = side === 'before' ? across > 0 : across <= 0;
    if (isSide && distance > 1.3 && distance < 2.15) {
      const groove = noise.fractal(distance * 14, 70, 3);
      const edge = clamp((distance - 1.3) * 12) * clamp((2.15 - distance) * 9);
      canvas.lay(pixel, colour, edge * clamp(groove * 1.5 - 0.2) * 0.85);
    }
  });
}

/** One silhouette. `nearness` is above 0 (far) and at most 1 (near), also below. */
type Layer = {
  readonly nearness: number;
  /** The first row of land, for each column. */
  readonly tops: Float32Array;
  /** The row at which painting stops. */
  readonly bottom: number;
};

/** Farther away, trees are too small to paint. */
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
      ? lerp(horizon - size * 0.2, horizon - size * 0.03, nearness)
      : lerp(horizon - size * 0.2, canvas.height - size * 0.13, nearness);
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
    const top = lerp(horizon - size * 0.04, canvas.height - size * 0.1, nearness);
    const swing = size * lerp(0.05, 0.16, nearness);
    const stretch = lerp(2.4, 0.9, nearness) / size;
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
  const swing = size * lerp(0.17, 0.11, nearness);
  const stretch = lerp(1.5, 3.2, nearness) / size;
  const shift = chance.next() * 100;
  return Float32Array.from({ length: canvas.width }, (_, x) => {
    const rolling = noise.fractal(x * stretch + shift, index * 9.7, 6);
    // Folded noise has sharp crests.
    const crest =
      1 - Math.abs(2 * noise.fractal(x * stretch * 0.8 + shift, index * 3.3 + 50, 5) - 1);
    return top + swing * (1 - 1.25 * rolling - 0.55 * crest * (1 - nearness * 0.6));
  });
}

/** Adds a row of firs to the silhouette. */
function plantTrees({ chance, noise, size }: Scene, tops: Float32Array, nearness: number): void {
  let x = 0;
  while (x < tops.length) {
    const half = size * lerp(0.004, 0.011, nearness) * chance.between(0.7, 1.3);
    const height = half * chance.between(3.2, 6) * (0.3 + noise.at(x / (size * 0.12), 3));
    plantFir(tops, { x: x + half, half, height });
    x += half * chance.between(0.8, 2.4) + (chance.isLikely(0.06) ? size * 0.05 : 0);
  }
}

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
  const solid = mix(palette.far, palette.near, nearness ** 1.2);
  const haze = mix(palette.horizon, palette.far, nearness);
  const depth = size * lerp(0.34, 0.22, nearness);
  const maxHaze = lerp(0.72, 0.1, nearness);
  // Snow on a silhouette with trees would outline every tree.
  const hasSnow = palette.name === 'snow' && scene.place === 'ridges' && nearness <= treesFrom;

  for (
    let y = Math.max(0, Math.floor(tops.reduce((one, other) => Math.min(one, other))));
    y < bottom;
    y += 1
  ) {
    for (let x = 0; x < canvas.width; x += 1) {
      const below = y - (tops[x] ?? 0);
      if (below > -0.5) {
        const ground = mix(solid, haze, clamp(below / depth) * maxHaze);
        const isWhite =
          hasSnow &&
          below < size * 0.08 * (1.3 - nearness) * noise.at((x / size) * 9, nearness * 40);
        canvas.lay(
          y * canvas.width + x,
          isWhite ? mix(ground, palette.light, 0.72) : ground,
          clamp(below + 0.5),
        );
      }
    }
  }
}

type Building = {
  readonly left: number;
  readonly width: number;
  readonly top: number;
  readonly nearness: number;
};

const cityLayers = 3;

/** A skyline in layers, with lit windows. */
export function paintCity(scene: Scene): void {
  const { canvas, chance, horizon, size } = scene;
  for (let index = 1; index <= cityLayers; index += 1) {
    const nearness = index / cityLayers;
    const ground = lerp(horizon, canvas.height - size * 0.02, nearness);
    let left = -size * 0.02;
    while (left < canvas.width) {
      const width = Math.max(4, size * chance.between(0.028, 0.075) * lerp(0.75, 1.5, nearness));
      const rise = size * (0.03 + chance.next() ** 1.7 * lerp(0.36, 0.27, nearness));
      paintBuilding(scene, {
        left: Math.round(left),
        width: Math.round(width),
        top: ground - rise,
        nearness,
      });
      left += width + (chance.isLikely(0.3) ? size * 0.015 * chance.next() : 0);
    }
  }
}

function paintBuilding(scene: Scene, building: Building): void {
  const { canvas, chance, palette, size } = scene;
  const { left, width, top, nearness } = building;
  const wall = mix(palette.far, palette.near, nearness ** 1.1);
  const mist = mix(palette.horizon, palette.far, nearness);
  const roof = chance.pick([flat, flat, flat, slanted, stepped, mast]);

  for (let column = Math.max(0, left); column < Math.min(canvas.width, left + width); column += 1) {
    const start = top - roof((column - left) / width, width);
    for (let y = Math.max(0, Math.floor(start)); y < canvas.height; y += 1) {
      const haze = clamp((y - top) / (size * 0.4)) * lerp(0.5, 0.06, nearness);
      canvas.lay(y * canvas.width + column, mix(wall, mist, haze), clamp(y - start + 1));
    }
  }
  lightWindows(scene, building);
}

/** The height of the roof at a place along its edge (0 to 1), in pixels. */
type Roof = (along: number, width: number) => number;
const flat: Roof = () => 0;
const slanted: Roof = (along, width) => along * width * 0.5;
const stepped: Roof = (along, width) => (along > 0.2 && along < 0.8 ? width * 0.35 : 0);
const mast: Roof = (along, width) => (Math.abs(along - 0.5) < 1.2 / width ? width * 0.9 : 0);

function lightWindows({ canvas, chance, palette, size }: Scene, building: Building): void {
  const { left, width, top, nearness } = building;
  const pane = Math.max(2, Math.round((size / 260) * lerp(0.8, 1.5, nearness)));
  const lit = chance.next() ** 1.6 * 0.6;
  for (let y = Math.round(top + pane * 2); y < canvas.height - pane; y += pane * 2) {
    for (let x = left + pane; x < left + width - pane; x += pane * 2) {
      if (x >= 0 && x + pane < canvas.width && y >= 0 && chance.isLikely(lit)) {
        const glow = chance.isLikely(0.2)
          ? palette.accent
          : mix(palette.light, palette.accent, chance.next());
        paintPane(canvas, { x, y, pane }, (pixel) =>
          canvas.lay(pixel, glow, lerp(0.35, 0.92, nearness)),
        );
      }
    }
  }
}

function paintPane(
  { width }: { readonly width: number },
  { x, y, pane }: { readonly x: number; readonly y: number; readonly pane: number },
  paint: (pixel: number) => void,
): void {
  for (let row = 0; row < pane; row += 1) {
    for (let column = 0; column < Math.max(1, pane * 0.7); column += 1) {
      paint((y + row) * width + x + column);
    }
  }
}

/** A rippled reflection of the picture above the horizon, and the glint of the light. */
export function paintWater(scene: Scene): void {
  const { canvas, horizon, light, noise, palette, size } = scene;
  const { width, height } = canvas;
  const deep = mix(palette.zenith, palette.near, 0.45);

  for (let y = horizon; y < height; y += 1) {
    const nearness = (y - horizon) / (height - horizon);
    const stretch = lerp(26, 4, nearness) / size;
    const rows = lerp(150, 26, nearness) / size;
    const swell = size * lerp(0.01, 0.12, nearness);
    const path = light.radius * lerp(0.5, 1.7, nearness);
    for (let x = 0; x < width; x += 1) {
      const ripple = noise.fractal(x * stretch, y * rows, 3) - 0.5;
      const row = Math.round(horizon - (y - horizon) * 1.05 + ripple * swell);
      const column = Math.round(x + ripple * size * 0.06 * nearness);
      const mirrored = limit(row, horizon - 1) * width + limit(column, width - 1);
      const pixel = y * width + x;
      canvas.lay(pixel, canvas.read(mirrored), 1);
      canvas.lay(pixel, deep, lerp(0.14, 0.55, nearness));
      const glint =
        Math.exp(-Math.abs(x - light.x + ripple * size * 0.3) / path) * clamp(ripple * 9 + 0.25);
      canvas.lay(pixel, palette.light, glint * 0.55);
    }
  }
}

function limit(value: number, max: number): number {
  return value < 0 ? 0 : value > max ? max : value;
}
