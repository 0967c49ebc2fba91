/** A tree that frames the picture: trunk, branches, and leaves or blossoms in clusters. */
import { around } from './canvas.ts';
import { clamp, type Colour, mixed } from './colour.ts';
import { type PaletteName } from './palettes.ts';
import { type Scene } from './scene.ts';
import { fillLimb, type Point } from './shapes.ts';

type Branch = {
  readonly from: Point;
  /** Radians; a quarter turn to the left of zero is upwards. */
  readonly angle: number;
  readonly length: number;
  readonly thick: number;
  readonly forks: number;
};

/** Where the leaves have the accent's colour instead of the land's. */
const bright = new Set<PaletteName>(['blossom', 'autumn', 'dawn', 'neon', 'ember']);
const bare = new Set<PaletteName>(['snow', 'dune']);

export function plantTree(
  scene: Scene,
  { x, ink }: { readonly x: number; readonly ink: Colour },
): void {
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
  if (!bare.has(scene.palette.name)) {
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

/** Darker clusters first, brighter ones over them towards the light. */
function paintLeaves(
  { canvas, chance, palette, size }: Scene,
  tips: readonly Point[],
  ink: Colour,
) {
  const shade = bright.has(palette.name)
    ? mixed(palette.accent, palette.near, 0.45)
    : mixed(ink, palette.far, 0.22);
  const shine = bright.has(palette.name)
    ? mixed(palette.accent, palette.light, 0.25)
    : mixed(ink, palette.far, 0.5);
  for (const layer of [0, 0.25, 0.5, 0.8, 1]) {
    const colour = mixed(shade, shine, layer);
    for (const [x, y] of tips) {
      const leaf = {
        x: x + size * chance.between(-0.035, 0.035),
        y: y + size * (chance.between(-0.028, 0.028) - layer * 0.014),
        reach: size * chance.between(0.006, 0.019) * (1.1 - layer * 0.45),
      };
      around(canvas, leaf, (pixel, dx, dy) => {
        canvas.lay(pixel, colour, 0.9 * clamp((leaf.reach - Math.hypot(dx, dy)) * 0.9));
      });
    }
  }
}
