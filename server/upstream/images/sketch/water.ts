/** Water: what is above the horizon once more, upside down and rippled, and the path of the light. */
import { between, clamp, mixed } from './colour.ts';
import { type Scene } from './scene.ts';

export function paintWater(scene: Scene): void {
  const { canvas, horizon, light, noise, palette, size } = scene;
  const { width, height } = canvas;
  const deep = mixed(palette.zenith, palette.near, 0.45);

  for (let y = horizon; y < height; y += 1) {
    const nearness = (y - horizon) / (height - horizon);
    const stretch = between(26, 4, nearness) / size;
    const rows = between(150, 26, nearness) / size;
    const swell = size * between(0.01, 0.12, nearness);
    const path = light.radius * between(0.5, 1.7, nearness);
    for (let x = 0; x < width; x += 1) {
      const ripple = noise.fractal(x * stretch, y * rows, 3) - 0.5;
      const row = Math.round(horizon - (y - horizon) * 1.05 + ripple * swell);
      const column = Math.round(x + ripple * size * 0.06 * nearness);
      const mirrored = within(row, horizon - 1) * width + within(column, width - 1);
      const pixel = y * width + x;
      canvas.lay(pixel, canvas.read(mirrored), 1);
      canvas.lay(pixel, deep, between(0.14, 0.55, nearness));
      const glint =
        Math.exp(-Math.abs(x - light.x + ripple * size * 0.3) / path) * clamp(ripple * 9 + 0.25);
      canvas.lay(pixel, palette.light, glint * 0.55);
    }
  }
}

function within(value: number, last: number): number {
  return value < 0 ? 0 : value > last ? last : value;
}
