/** Away from all land: clouds of gas, many stars, and a planet, perhaps with a ring. */
import { around } from './canvas.ts';
import { clamp, mixed } from './colour.ts';
import { createField } from './noise.ts';
import { type Scene } from './scene.ts';

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
      const hue = mixed(palette.horizon, palette.accent, gas(width - x, y));
      canvas.lay(y * width + x, hue, strength * strength * 0.55);
    }
  }
}

function paintPlanet({ canvas, light, noise, palette }: Scene, planet: Planet): void {
  const { x, y, radius, tilt } = planet;
  const towards = Math.atan2(light.y - y, light.x - x);
  const lit = mixed(palette.horizon, palette.light, 0.35);
  around(canvas, { x, y, reach: radius + 1 }, (pixel, dx, dy) => {
    const distance = Math.hypot(dx, dy);
    const cover = clamp(radius - distance + 0.5);
    if (cover > 0) {
      const band = (dy * Math.cos(tilt) - dx * Math.sin(tilt)) / radius;
      const cloud = noise.fractal(band * 5 + 20, (dx / radius) * 0.8 + band, 4);
      const face = mixed(lit, palette.far, clamp((cloud - 0.3) * 2.2));
      const bulge = Math.sqrt(Math.max(0, 1 - (distance / radius) ** 2));
      const facing =
        (dx * Math.cos(towards) + dy * Math.sin(towards)) / radius / 1.25 + bulge * 0.55;
      canvas.lay(pixel, mixed(palette.near, face, clamp(facing + 0.22)), cover);
    }
  });
}

function paintRing({ canvas, noise, palette }: Scene, planet: Planet, side: 'behind' | 'before') {
  const { x, y, radius, tilt } = planet;
  const flatness = 0.26;
  const colour = mixed(palette.light, palette.accent, 0.4);
  around(canvas, { x, y, reach: radius * 2.2 }, (pixel, dx, dy) => {
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
