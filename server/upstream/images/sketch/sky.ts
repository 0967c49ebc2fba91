/** The sky: its colours, clouds, sun or moon, and stars. */
import { around } from './canvas.ts';
import { clamp, type Colour, mixed, smooth } from './colour.ts';
import { createField } from './noise.ts';
import { type Scene } from './scene.ts';

export function paintSky(scene: Scene): void {
  const { canvas, light, palette, size } = scene;
  const { width, height } = canvas;
  const clouds = cloudsOf(scene);
  const cloudColour = mixed(palette.horizon, palette.light, 0.45);
  const disc = discOf(scene);

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
    ? mixed(palette.zenith, palette.sky, smooth(depth / 0.55))
    : mixed(palette.sky, palette.horizon, smooth((depth - 0.55) / 0.45));
}

/** Long, bent streaks; each value from 0 to 1. */
function cloudsOf({ canvas: { width, height }, noise, size }: Scene) {
  return createField({ width, height, step: 4 }, (x, y) => {
    const u = x / size;
    const v = y / size;
    const bend = noise.at(u * 1.3 + 3, v * 2.6) * 1.1;
    return clamp((noise.fractal(u * 2.1 + bend, v * 5.2 + bend * 0.6, 5) - 0.5) * 3.2);
  });
}

/** The face of the sun is even; that of a moon is not. */
function discOf({ isDark, light, noise, palette }: Scene): (x: number, y: number) => Colour {
  if (!isDark) {
    return () => palette.light;
  }
  const shade = mixed(palette.light, palette.sky, 0.22);
  return (x, y) => {
    const spots = noise.fractal((x - light.x) / light.radius + 40, (y - light.y) / light.radius, 3);
    return mixed(palette.light, shade, clamp((spots - 0.42) * 4));
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
      around(canvas, { x, y, reach: 3 }, (pixel, dx, dy) => {
        canvas.lay(pixel, white, glow * Math.exp(-(dx * dx + dy * dy) / (reach * reach)));
      });
    }
  }
}
