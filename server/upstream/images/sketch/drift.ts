/** What floats in the air: petals, flakes, sparks, fireflies and leaves, some of it out of focus. */
import { around } from './canvas.ts';
import { clamp, mixed } from './colour.ts';
import { type PaletteName } from './palettes.ts';
import { type Scene } from './scene.ts';

/** How many there are, and how long against their width. */
const kinds: Partial<Record<PaletteName, { readonly count: number; readonly slimness: number }>> = {
  blossom: { count: 130, slimness: 0.5 },
  snow: { count: 220, slimness: 1 },
  ember: { count: 70, slimness: 1 },
  forest: { count: 55, slimness: 1 },
  autumn: { count: 60, slimness: 0.45 },
  lagoon: { count: 26, slimness: 1 },
};

export function paintDrift({ canvas, chance, palette, size }: Scene): void {
  const kind = kinds[palette.name];
  for (let index = 0; index < (kind?.count ?? 0); index += 1) {
    const isNear = chance.isLikely(0.12);
    const radius = size * (isNear ? chance.between(0.012, 0.03) : chance.between(0.003, 0.008));
    const angle = chance.next() * Math.PI;
    const colour = mixed(
      palette.accent,
      palette.light,
      palette.name === 'snow' ? 1 : chance.next() * 0.45,
    );
    const place = { x: chance.next() * canvas.width, y: chance.next() * canvas.height };
    around(canvas, { ...place, reach: radius * 1.6 }, (pixel, dx, dy) => {
      const along = (dx * Math.cos(angle) + dy * Math.sin(angle)) / radius;
      const across =
        (dy * Math.cos(angle) - dx * Math.sin(angle)) / (radius * (kind?.slimness ?? 1));
      const square = along * along + across * across;
      const cover = isNear ? 0.26 * clamp(1.2 - square) : 0.8 * clamp((1 - square) * 3);
      canvas.lay(pixel, colour, cover);
    });
  }
}
