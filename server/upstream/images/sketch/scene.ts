/** What every part of a picture works with, and which parts a prompt asks for. */
import { type Canvas, createCanvas } from './canvas.ts';
import { type Chance, chanceFrom } from './chance.ts';
import { brightness } from './colour.ts';
import { createNoise, type Noise } from './noise.ts';
import { type Palette, paletteFor } from './palettes.ts';

/** What a sketch is made from. The same wish always gives the same picture. */
export type SketchWish = {
  readonly prompt: string;
  readonly seed: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Whatever else shall make a difference, such as a model's id. */
  readonly style?: string;
  /** A named look that the finished picture gets, whatever is on it. */
  readonly look?: string;
};

const places = ['ridges', 'water', 'city', 'dunes', 'space'] as const;
type Place = (typeof places)[number];

export type Scene = {
  readonly canvas: Canvas;
  readonly prompt: string;
  readonly chance: Chance;
  readonly noise: Noise;
  readonly palette: Palette;
  readonly place: Place;
  readonly isDark: boolean;
  /** The shorter side: what sizes are measured by. */
  readonly size: number;
  /** The row where sky meets land. */
  readonly horizon: number;
  /** Sun or moon. */
  readonly light: { readonly x: number; readonly y: number; readonly radius: number };
};

const placeWords: Record<Place, RegExp> = {
  city: /\b(?:city|cities|town|street|skyline|building|skyscraper|urban|tokyo|downtown|cyber|neon|rooftop)/i,
  water:
    /\b(?:sea|ocean|lake|river|water|beach|wave|island|ship|boat|lagoon|harbou?r|mermaid|reflection)/i,
  dunes: /\b(?:desert|dune|sand|savanna|hill|meadow|field|valley|grass|farm)/i,
  space: /\b(?:space|planet|galaxy|nebula|cosmic|cosmos|orbit|astronaut|universe|alien|saturn)/i,
  ridges: /\b(?:mountain|ridge|forest|tree|wood|snow|peak|cliff|castle|dragon|fog|mist)/i,
};

export function createScene({ prompt, seed, width, height, style = '' }: SketchWish): Scene {
  const words = prompt.normalize('NFKC').trim();
  const chance = chanceFrom(JSON.stringify([words, seed, width, height, style]));
  const palette = paletteFor(words, chance);
  const byChance = chance.pick(['ridges', 'water', 'dunes', 'ridges', 'water'] as const);
  const place = places.find((name) => placeWords[name].test(words)) ?? byChance;
  const size = Math.min(width, height);
  const horizon = Math.round(height * horizonOf(place, chance));
  return {
    canvas: createCanvas(width, height),
    prompt: words,
    chance,
    noise: createNoise(chance),
    palette,
    place,
    isDark: brightness(palette.zenith) < 72,
    size,
    horizon,
    light: {
      x: width * chance.between(0.24, 0.76),
      y: horizon * chance.between(0.3, 0.78),
      radius: size * chance.between(0.055, 0.115),
    },
  };
}

/** Which share of the height is sky. */
function horizonOf(place: Place, chance: Chance): number {
  if (place === 'space') {
    return 1;
  }
  return place === 'water' ? chance.between(0.56, 0.66) : chance.between(0.66, 0.78);
}
