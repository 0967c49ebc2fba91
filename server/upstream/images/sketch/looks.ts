/** How a finished picture is graded: by a look with a name, or by one that chance finds for a style. */
import { type Chance, chanceFrom } from './chance.ts';

export type Grading = {
  readonly saturation: number;
  readonly contrast: number;
  /** Adds to red and takes from blue, or the other way round. */
  readonly warmth: number;
  /** How many steps of brightness there are, as in a print; 0 leaves it smooth. */
  readonly levels: number;
  readonly grain: number;
  /** How dark the lines are where brightness changes, as drawn with ink; 0 draws none. */
  readonly outline: number;
  /** The side of the dabs it is painted in, as a share of the shorter side; 0 leaves each pixel alone. */
  readonly dab: number;
};

const plain: Grading = {
  saturation: 1,
  contrast: 1,
  warmth: 0,
  levels: 0,
  grain: 3,
  outline: 0,
  dab: 0,
};

/** The styles of Imagine Art, each to be told from the others at a glance. */
const looks: Readonly<Record<string, Grading>> = {
  anime: { ...plain, saturation: 1.42, contrast: 1.08, levels: 7, grain: 0, outline: 0.9 },
  'flux-dev': { ...plain, saturation: 0.78, contrast: 1.3, warmth: -16, grain: 1 },
  'flux-schnell': { ...plain, saturation: 1.1, warmth: 4, grain: 2, dab: 0.016 },
  'imagine-turbo': { ...plain, saturation: 1.75, contrast: 1.22, warmth: 24, grain: 1 },
  realistic: { ...plain, saturation: 0.62, contrast: 0.92, warmth: 7, grain: 15 },
  'sdxl-1.0': { ...plain, saturation: 1.12, contrast: 1.1, warmth: -9, levels: 5, dab: 0.007 },
};

/** A look that nobody knows is found by chance, like that of a style; each stays when prompt and seed change. */
export function gradingOf({ style, look }: { style: string; look: string }): Grading {
  const named = look === '' ? undefined : looks[look];
  const name = look === '' ? style : look;
  return named ?? (name === '' ? plain : byChance(chanceFrom(`style ${name}`)));
}

function byChance(chance: Chance): Grading {
  return {
    ...plain,
    saturation: chance.between(0.82, 1.24),
    contrast: chance.between(0.94, 1.12),
    warmth: chance.between(-9, 9),
    levels: chance.isLikely(0.22) ? Math.round(chance.between(9, 16)) : 0,
    grain: chance.between(1.5, 6),
  };
}
