/** A skyline in layers, with lights in its windows. */
import { between, clamp, mixed } from './colour.ts';
import { type Scene } from './scene.ts';

type Building = {
  readonly left: number;
  readonly width: number;
  readonly top: number;
  /** From just above 0 (far) to 1. */
  readonly nearness: number;
};

const layers = 3;

export function paintCity(scene: Scene): void {
  const { canvas, chance, horizon, size } = scene;
  for (let index = 1; index <= layers; index += 1) {
    const nearness = index / layers;
    const ground = between(horizon, canvas.height - size * 0.02, nearness);
    let left = -size * 0.02;
    while (left < canvas.width) {
      const width = Math.max(4, size * chance.between(0.028, 0.075) * between(0.75, 1.5, nearness));
      const rise = size * (0.03 + chance.next() ** 1.7 * between(0.36, 0.27, nearness));
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
  const wall = mixed(palette.far, palette.near, nearness ** 1.1);
  const mist = mixed(palette.horizon, palette.far, nearness);
  const roof = chance.pick([flat, flat, flat, slanted, stepped, mast]);

  for (let column = Math.max(0, left); column < Math.min(canvas.width, left + width); column += 1) {
    const start = top - roof((column - left) / width, width);
    for (let y = Math.max(0, Math.floor(start)); y < canvas.height; y += 1) {
      const haze = clamp((y - top) / (size * 0.4)) * between(0.5, 0.06, nearness);
      canvas.lay(y * canvas.width + column, mixed(wall, mist, haze), clamp(y - start + 1));
    }
  }
  lightWindows(scene, building);
}

/** How far the roof rises above its edge, by the place along it from 0 to 1. */
type Roof = (along: number, width: number) => number;
const flat: Roof = () => 0;
const slanted: Roof = (along, width) => along * width * 0.5;
const stepped: Roof = (along, width) => (along > 0.2 && along < 0.8 ? width * 0.35 : 0);
const mast: Roof = (along, width) => (Math.abs(along - 0.5) < 1.2 / width ? width * 0.9 : 0);

function lightWindows({ canvas, chance, palette, size }: Scene, building: Building): void {
  const { left, width, top, nearness } = building;
  const pane = Math.max(2, Math.round((size / 260) * between(0.8, 1.5, nearness)));
  const lit = chance.next() ** 1.6 * 0.6;
  for (let y = Math.round(top + pane * 2); y < canvas.height - pane; y += pane * 2) {
    for (let x = left + pane; x < left + width - pane; x += pane * 2) {
      if (x >= 0 && x + pane < canvas.width && y >= 0 && chance.isLikely(lit)) {
        const glow = chance.isLikely(0.2)
          ? palette.accent
          : mixed(palette.light, palette.accent, chance.next());
        paintPane(canvas, { x, y, pane }, (pixel) =>
          canvas.lay(pixel, glow, between(0.35, 0.92, nearness)),
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
